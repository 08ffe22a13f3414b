import './sources.css'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { useMay } from '../../app/session.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageFor, QueryState } from '../../ui/states.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { useRunningRuns } from '../runs/use-running-runs.ts'
import { DiagnosisDrawer } from './DiagnosisDrawer.tsx'
import { SourceCard } from './SourceCard.tsx'

/** What people and departments are imported from: whether it is connected, and what its last runs came to. */
export const Sources = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listSources">
      <Page title={nav.sources}>
        <SourceCards />
      </Page>
    </PageFor>
  )
}

const SourceCards = () => {
  const { sources } = usePageTexts('sources')
  const [search, setSearch] = useAddress()
  const running = useRunningRuns('listSources')
  const list = useReading('listSources', {})
  const schedules = useReading('listSchedules', {}, { enabled: useMay('listSchedules') })
  const mayDiagnose = useMay('diagnoseSource')
  const diagnosed = list.data?.find(({ source, configured }) => configured && source === textOf(search.diagnose))
  return (
    <Stack gap="md">
      <QueryState query={list}>
        {(all) => (
          <>
            <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="md">
              {all.map((each) => (
                <SourceCard
                  key={each.source}
                  state={each}
                  schedule={schedules.data?.find(({ source }) => source === each.source)}
                  running={[...running.values()].filter(({ source }) => source === each.source)}
                />
              ))}
            </SimpleGrid>
            <Text size="sm" c="dimmed">
              {sources.departmentsFirst}
            </Text>
          </>
        )}
      </QueryState>
      {mayDiagnose && (
        <Late wanted={diagnosed !== undefined}>
          <DiagnosisDrawer source={diagnosed?.source} onClose={() => setSearch({ diagnose: undefined })} />
        </Late>
      )}
    </Stack>
  )
}
