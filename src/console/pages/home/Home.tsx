import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted, useSession } from '../../app/session.tsx'
import { Page } from '../../ui/Page.tsx'
import { QueryState } from '../../ui/states.tsx'
import { Figures } from './Figures.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Lately } from './Lately.tsx'
import { LastRuns, SignIns } from './Lists.tsx'

/** The page after the sign-in: what is still to be set up, and the state of the installation. */
export const Home = () => {
  const { nav } = useTexts()
  const { home } = usePageTexts('home')
  const { me, may } = useSession()
  return (
    <Page title={nav.home}>
      <Stack gap="lg">
        <Granted to="listFirstSteps">
          <FirstSteps />
        </Granted>
        {may('getOverview') ? (
          <Overview />
        ) : (
          <>
            <Text>{home.greeting(me.name || me.username)}</Text>
            {!may('listFirstSteps') && <Text c="dimmed">{home.nothing}</Text>}
          </>
        )}
      </Stack>
    </Page>
  )
}

const Overview = () => {
  const overview = useReading('getOverview', {}, { refetchInterval: 30_000, staleTime: 0 })
  return (
    <QueryState query={overview}>
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
}
