import '../sources/sources.css'
import { Button, Stack, Text, Title } from '@mantine/core'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { highest, useSession } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Failed } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { LayoutDrawer } from './LayoutDrawer.tsx'

export type Directory = Data<'listDirectories'>['directories'][number]

/** The layout of groups in each directory, beside that of its settings. */
export const Layouts = () => {
  const { layout: texts } = usePageTexts('directory').directory
  const { me, may } = useSession()
  const maySee = may('listDirectories')
  const mayPlan = me.rank === highest && may('getGroupLayout')
  const [search, setSearch] = useAddress()
  const list = useReading('listDirectories', {}, { enabled: maySee })
  if (list.data === undefined) {
    return list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null
  }
  const { directories } = list.data
  const open = mayPlan ? directories.find(({ directory }) => directory === numberOf(search.layout)) : undefined
  if (directories.length === 0) return null
  return (
    <Stack gap="sm" component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Text c="dimmed">{texts.help}</Text>
      {directories.map((each) => (
        <OneDirectory key={each.directory} directory={each} mayPlan={mayPlan} />
      ))}
      <Late wanted={open !== undefined}>
        <LayoutDrawer directory={open} onClose={() => setSearch({ layout: undefined })} />
      </Late>
    </Stack>
  )
}

interface OneDirectoryProps {
  directory: Directory
  mayPlan: boolean
}

const OneDirectory = ({ directory: { directory, baseDn, layout, wanted }, mayPlan }: OneDirectoryProps) => {
  const { layout: texts } = usePageTexts('directory').directory
  const [, setSearch] = useAddress()
  const name = texts.of(directory)
  const differs = layout !== wanted
  return (
    <div className="source-kind">
      <Text fw={600} title={baseDn}>
        {name}
      </Text>
      <Meaning level={differs ? 'risk' : 'safe'}>
        {differs ? texts.differs(texts.names[layout], texts.names[wanted]) : texts.meanings[layout]}
      </Meaning>
      <Stack gap={4} align="flex-end">
        {mayPlan && (
          <Button
            variant="default"
            aria-label={(differs ? texts.planOf : texts.waitingOf)(name)}
            onClick={() => setSearch({ layout: directory })}
          >
            {differs ? texts.plan : texts.waiting}
          </Button>
        )}
      </Stack>
    </div>
  )
}
