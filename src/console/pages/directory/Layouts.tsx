import '../sources/sources.css'
import { Button, Stack, Text, Title } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { highest, useSession } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { LayoutDrawer } from './LayoutDrawer.tsx'
import type { Directory } from './use-directories.ts'

/** The layout of groups in each directory, beside that of its settings. */
export const Layouts = ({ directories }: { directories: readonly Directory[] }) => {
  const { layout: texts } = usePageTexts('directory').directory
  const { me, may } = useSession()
  const mayPlan = me.rank === highest && may('getGroupLayout')
  const [search, setSearch] = useAddress()
  const open = mayPlan ? directories.find(({ directory }) => directory === numberOf(search.layout)) : undefined
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
    <div className="source-kind directory-line">
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
