import { SimpleGrid, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Data, Failure } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useSession } from '../../app/session.tsx'
import { Page } from '../../ui/Page.tsx'
import { AllAtOnce, QueryState } from '../../ui/states.tsx'
import { Figures } from './Figures.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Lately } from './Lately.tsx'
import { LastRuns, SignIns } from './Lists.tsx'

/** The page after the sign-in: what is still to be set up, and the state of the installation. */
export const Home = () => {
  const { nav } = useTexts()
  const { home } = usePageTexts('home')
  const { me, may } = useSession()
  const maySee = may('getOverview')
  const steps = useReading('listFirstSteps', {}, { enabled: may('listFirstSteps'), staleTime: 0 })
  const overview = useReading('getOverview', {}, { enabled: maySee, refetchInterval: 30_000, staleTime: 0 })
  return (
    <Page title={nav.home}>
      <AllAtOnce wait={steps.isLoading || overview.isLoading}>
        <Stack gap="lg">
          <FirstSteps query={steps} />
          {maySee ? (
            <Overview query={overview} />
          ) : (
            <>
              <Text>{home.greeting(me.name || me.username)}</Text>
              {!may('listFirstSteps') && <Text c="dimmed">{home.nothing}</Text>}
            </>
          )}
        </Stack>
      </AllAtOnce>
    </Page>
  )
}

const Overview = ({ query }: { query: UseQueryResult<Data<'getOverview'>, Failure> }) => (
  <QueryState query={query}>
    {(data) => (
      <>
        <Figures overview={data} />
        <Lately happenings={data.lately} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <LastRuns runs={data.sources} />
          <SignIns signIns={data.signIns} />
        </SimpleGrid>
      </>
    )}
  </QueryState>
)
