import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { addressOf } from '../../app/api.ts'
import { useLanguage, useTexts } from '../../app/language.tsx'
import { useNumberedPages } from '../../app/paging.ts'
import { useStatementText } from '../../app/statement.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { numberOf, textOf, useAddress } from '../../ui/use-search.ts'
import { ChangeDrawer } from './ChangeDrawer.tsx'
import { type Change, changeLevels, isPlanMade, type Run, useRunTexts } from './run-text.ts'
import { actionsOf, useCounts } from './use-counts.ts'
import { ChangeLine } from './values.tsx'

const states = ['planned', 'held', 'failed', 'done'] as const

const useColumns = (run: Run): Column<Change>[] => {
  const { plan } = useRunTexts().runs
  const say = useStatementText()
  return [
    {
      id: 'name',
      title: plan.name,
      width: 'minmax(120px, 1fr)',
      render: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: 'action',
      title: plan.action,
      width: '96px',
      render: (change) => plan.actions[change.action],
    },
    {
      id: 'what',
      title: plan.what,
      width: 'minmax(240px, 4fr)',
      render: (change) => <ChangeLine {...{ run, change }} />,
    },
    {
      id: 'state',
      title: plan.state,
      width: 'minmax(110px, 1fr)',
      render: (change) => (
        <Meaning level={changeLevels[change.state]}>
          <span title={say(change.stated, change.reason)}>{plan.states[change.state]}</span>
        </Meaning>
      ),
    },
  ]
}

/** Each change of a run's plan, with the old values beside the new ones. */
export const Plan = ({ run }: { run: Run }) => {
  const { plan } = useRunTexts().runs
  const texts = useTexts()
  const [search, setSearch] = useAddress()
  const action = actionsOf(run).find((each) => each === search.action)
  const state = states.find((each) => each === search.of)
  const filter = { ...(action && { action }), ...(state && { state }) }
  const list = useNumberedPages('listRunChanges', { path: { id: run.runId }, query: filter })
  const changes = list.pages?.flatMap((page) => page.changes) ?? []
  const open = numberOf(textOf(search.change))
  const columns = useColumns(run)
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <ByAction run={run} />
        <Select
          aria-label={plan.state}
          placeholder={plan.anyState}
          w={160}
          clearable
          data={states.map((value) => ({ value, label: plan.states[value] }))}
          value={state ?? null}
          onChange={(value) => setSearch({ of: value ?? undefined })}
        />
        <Text size="sm" c="dimmed" role="status">
          {list.pages !== undefined && texts.table.total(list.total)}
        </Text>
        {list.total > 0 && (
          <Button
            component="a"
            variant="default"
            href={addressOf('listRunChanges', { path: { id: run.runId }, query: filter })}
            download={`run-${run.runId}.json`}
          >
            {plan.export}
          </Button>
        )}
      </Group>
      {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
      {list.pages === undefined ? (
        list.query.isPending && <Loading />
      ) : (
        <DataTable
          label={plan.label}
          columns={columns}
          rows={changes}
          keyOf={({ seq }) => seq}
          nameOf={({ name }) => name}
          current={open}
          onOpen={({ seq }) => setSearch({ change: seq })}
          more={list.more}
          height="min(640px, calc(100vh - 160px))"
          empty={<Nothing run={run} isFiltered={Object.keys(filter).length > 0} />}
        />
      )}
      <Late wanted={open !== undefined}>
        <ChangeDrawer
          run={run}
          change={changes.find(({ seq }) => seq === open)}
          onClose={() => setSearch({ change: undefined })}
        />
      </Late>
    </Stack>
  )
}

const Nothing = ({ run, isFiltered }: { run: Run; isFiltered: boolean }) => {
  const { states: shown } = useTexts()
  const { plan } = useRunTexts().runs
  if (isFiltered) return <Empty title={shown.emptyFiltered} />
  if (run.state === 'running') return <Empty title={plan.noneYet} />
  if (run.source === 'sql' && run.state === 'planned') return <Empty title={plan.noneDifferent} />
  return <Empty title={isPlanMade(run) ? plan.none : plan.noneFailed} />
}

/** The kinds of change with their numbers; one of them narrows the list down. */
const ByAction = ({ run }: { run: Run }) => {
  const { plan } = useRunTexts().runs
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const [search, setSearch] = useAddress()
  const counts = useCounts(run, [])
  const chosen = actionsOf(run).find((each) => each === search.action)
  return (
    <Group gap={4} role="group" aria-label={plan.action}>
      {[undefined, ...actionsOf(run)].map((action) => {
        const count = action === undefined ? counts.all : counts.of(action)
        return (
          <Button
            key={action ?? 'all'}
            variant={action === chosen ? 'light' : 'default'}
            aria-pressed={action === chosen}
            px="sm"
            onClick={() => setSearch({ action })}
          >
            {action === undefined ? plan.all : plan.actions[action]}
            <span className="figure">{count !== undefined && number.format(count)}</span>
          </Button>
        )
      })}
    </Group>
  )
}
