import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../../app/language.tsx'
import { useNumberedPages } from '../../app/paging.ts'
import type { Work } from '../../app/progress.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { type RunSummary, runLevels, useRunTexts } from './run-text.ts'
import { useRunningRuns } from './use-running-runs.ts'

/** Every run: what it did, and what waits for a decision. */
export const Runs = () => {
  const { nav } = useTexts()
  return (
    <PageFor operation="listRuns">
      <Page title={nav.runs}>
        <RunList />
      </Page>
    </PageFor>
  )
}

const sources = ['exta', 'extb', 'extc', 'extldap', 'sql'] as const
const kinds = ['users', 'groups'] as const
const states = ['running', 'held', 'failed', 'done', 'planned', 'discarded'] as const

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text)

const useColumns = (running: ReadonlyMap<number, Work>): Column<RunSummary>[] => {
  const { runs, creatorOf, phaseOf } = useRunTexts()
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const figure = (name: 'added' | 'updated' | 'moved' | 'disabled' | 'failed' | 'held'): Column<RunSummary> => ({
    id: name,
    title: runs.columns[name],
    // As long as their titles.
    width: name === 'updated' || name === 'disabled' ? '80px' : '72px',
    end: true,
    render: (run) => (run[name] === 0 ? <span className="dimmed">0</span> : number.format(run[name])),
  })
  return [
    {
      id: 'run',
      title: runs.columns.run,
      width: '60px',
      render: ({ runId }) => (
        <PageLink to="/runs/$id" params={{ id: String(runId) }} tabIndex={-1} aria-label={runs.title(runId)}>
          {runId}
        </PageLink>
      ),
    },
    {
      id: 'state',
      title: runs.columns.state,
      width: 'minmax(112px, 1.5fr)',
      render: ({ runId, state }) => {
        const work = running.get(runId)
        return (
          <Meaning level={runLevels[state]}>
            {work === undefined ? runs.states[state] : `${phaseOf(work.phase)} ${howFar(work, number)}`}
          </Meaning>
        )
      },
    },
    {
      id: 'source',
      title: runs.columns.source,
      width: 'minmax(76px, 1fr)',
      render: ({ source }) => runs.sources[source],
    },
    { id: 'kind', title: runs.columns.kind, width: 'minmax(116px, 1fr)', render: ({ kind }) => runs.kinds[kind] },
    {
      id: 'when',
      title: runs.columns.when,
      width: 'minmax(136px, 1fr)',
      render: ({ startedAt }) => <Time value={startedAt} />,
    },
    {
      id: 'who',
      title: runs.columns.who,
      width: 'minmax(76px, 1fr)',
      render: ({ creator }) => <span title={creator}>{creatorOf(creator)}</span>,
    },
    ...(['added', 'updated', 'moved', 'disabled', 'failed', 'held'] as const).map(figure),
  ]
}

const howFar = ({ done, total }: Work, number: Intl.NumberFormat): string =>
  total === null || total === 0 ? number.format(done) : `${Math.floor(Math.min(1, done / total) * 100)} %`

const RunList = () => {
  const texts = useTexts()
  const { runs, nameOf } = useRunTexts()
  const { filters } = runs
  const navigate = useNavigate()
  const [search, setSearch] = useAddress()
  const source = oneOf(sources, textOf(search.source))
  const kind = oneOf(kinds, textOf(search.kind))
  const state = oneOf(states, textOf(search.state))
  const isFiltered = source !== undefined || kind !== undefined || state !== undefined
  const query = { ...(source && { source }), ...(kind && { kind }), ...(state && { state }) }
  const list = useNumberedPages('listRuns', { query })
  const columns = useColumns(useRunningRuns('listRuns'))
  return (
    <Stack gap="sm">
      <Group gap="xs" role="search" aria-label={runs.label}>
        <Select
          aria-label={filters.source}
          placeholder={filters.any}
          w={216}
          clearable
          data={sources.map((value) => ({ value, label: runs.sources[value] }))}
          value={source ?? null}
          onChange={(value) => setSearch({ source: value ?? undefined })}
        />
        <Select
          aria-label={filters.kind}
          placeholder={filters.anyKind}
          w={170}
          clearable
          data={kinds.map((value) => ({ value, label: runs.kinds[value] }))}
          value={kind ?? null}
          onChange={(value) => setSearch({ kind: value ?? undefined })}
        />
        <Select
          aria-label={filters.state}
          placeholder={filters.anyState}
          w={170}
          clearable
          data={states.map((value) => ({ value, label: runs.states[value] }))}
          value={state ?? null}
          onChange={(value) => setSearch({ state: value ?? undefined })}
        />
        {list.pages !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {texts.table.total(list.total)}
          </Text>
        )}
      </Group>
      {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
      {list.pages === undefined ? (
        list.query.isPending && <Loading />
      ) : (
        <DataTable
          label={runs.label}
          columns={columns}
          rows={list.pages.flatMap((page) => page.runs)}
          keyOf={({ runId }) => runId}
          nameOf={(run) => texts.named(runs.title(run.runId), nameOf(run))}
          onOpen={({ runId }) => void navigate({ to: '/runs/$id', params: { id: String(runId) } })}
          more={list.more}
          empty={
            isFiltered ? (
              <Empty title={texts.states.emptyFiltered}>
                <Button
                  variant="default"
                  onClick={() => setSearch({ source: undefined, kind: undefined, state: undefined })}
                >
                  {texts.actions.clearFilters}
                </Button>
              </Empty>
            ) : (
              <Empty title={runs.none} help={runs.noneHelp} />
            )
          }
        />
      )}
    </Stack>
  )
}
