import { Stack, Text, Title } from '@mantine/core'
import { usePageTexts } from '../../app/page-texts.ts'
import { Failed } from '../../ui/states.tsx'
import { Further } from './Further.tsx'
import { Layouts } from './Layouts.tsx'
import { mainDirectory, useDirectories } from './use-directories.ts'

/** What the further directories get and how far they are, and the places of groups in each directory. */
export const Directories = () => {
  const { further: texts } = usePageTexts('directory').directory
  const list = useDirectories()
  if (list.data === undefined) {
    return list.isError ? <Failed error={list.error} retry={() => void list.refetch()} /> : null
  }
  const { directories } = list.data
  const further = directories.filter(({ directory }) => directory !== mainDirectory)
  if (directories.length === 0) return null
  return (
    <>
      {further.length > 0 && (
        <Stack gap="sm" component="section" aria-label={texts.title}>
          <Title order={2}>{texts.title}</Title>
          <Text c="dimmed">{texts.help}</Text>
          {further.map((each) => (
            <Further key={each.directory} directory={each} />
          ))}
        </Stack>
      )}
      <Layouts directories={directories} />
    </>
  )
}
