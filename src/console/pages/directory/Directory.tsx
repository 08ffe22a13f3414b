import { Paper, Stack, Title } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor, QueryState } from '../../ui/states.tsx'
import { DirectoryState } from '../home/DirectoryState.tsx'
import { Comparison } from './Comparison.tsx'
import { Layouts } from './Layouts.tsx'
import { OrphanList } from './OrphanList.tsx'

/** Whether the directory is what the records say, and the entries in it that belong to no record. */
export const Directory = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listOrphans">
      <Page title={nav.directory}>
        <Stack gap="lg">
          <Now />
          <OrphanList />
        </Stack>
      </Page>
    </PageFor>
  )
}

const Now = () => {
  const { directory } = usePageTexts('directory')
  const maySee = useMay('getOverview')
  const overview = useReading('getOverview', {}, { enabled: maySee, refetchInterval: 5000 })
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {maySee && (
          <Stack gap={4} component="section" aria-label={directory.state}>
            <Title order={2}>{directory.state}</Title>
            <QueryState query={overview}>{(data) => <DirectoryState directory={data.directory} />}</QueryState>
          </Stack>
        )}
        <Comparison />
        <Layouts />
      </Stack>
    </Paper>
  )
}
