import { Paper, Stack, Title } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { AllAtOnce, PageFor, QueryState } from '../../ui/states.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { DirectoryState } from '../home/DirectoryState.tsx'
import { Comparison, useLastComparison } from './Comparison.tsx'
import { Directories } from './Directories.tsx'
import { OrphanList } from './OrphanList.tsx'
import { PendingDrawer, ShowPending } from './Pending.tsx'
import { mainDirectory, useDirectories } from './use-directories.ts'

/** Whether the directory is what the records say, and the entries in it that belong to no record. */
export const Directory = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listOrphans">
      <Page title={nav.directory}>
        <Parts />
      </Page>
    </PageFor>
  )
}

const Parts = () => {
  const overview = useReading('getOverview', {}, { enabled: useMay('getOverview') })
  const above = [overview, useDirectories(), useLastComparison('groups'), useLastComparison('users')]
  return (
    <AllAtOnce wait={above.some(({ isLoading }) => isLoading)}>
      <Stack gap="lg">
        <Now />
        <OrphanList />
      </Stack>
    </AllAtOnce>
  )
}

const Now = () => {
  const { directory } = usePageTexts('directory')
  const maySee = useMay('getOverview')
  const mayList = useMay('listPendingEntries')
  const [search, setSearch] = useAddress()
  const pending = mayList ? numberOf(search.pending) : undefined
  const overview = useReading('getOverview', {}, { enabled: maySee, refetchInterval: 5000 })
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {maySee && (
          <Stack gap={4} component="section" aria-label={directory.state}>
            <Title order={2}>{directory.state}</Title>
            <QueryState query={overview}>
              {({ directory: { kind, waiting, refused, oldestWaitingAt } }) => (
                <>
                  <DirectoryState directory={{ kind, waiting, refused, oldestWaitingAt }} />
                  {waiting + refused > 0 && <ShowPending directory={mainDirectory} />}
                </>
              )}
            </QueryState>
          </Stack>
        )}
        <Comparison />
        <Directories />
      </Stack>
      <Late wanted={pending !== undefined}>
        <PendingDrawer directory={pending} onClose={() => setSearch({ pending: undefined })} />
      </Late>
    </Paper>
  )
}
