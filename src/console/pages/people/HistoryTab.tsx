import { Tabs, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Data } from '../../app/api.ts'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { LogResult } from '../../ui/LogResult.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Person } from './PersonDrawer.tsx'

type Entry = Data<'listLogEntries'>['entries'][number]

const views = ['changes', 'actions'] as const
type View = (typeof views)[number]

const isView = (value: string | null): value is View => views.some((view) => view === value)

/** What was done to a person's record, and what the person did, from the operation log. */
export const HistoryTab = ({ person }: { person: Person }) => {
  const { history } = usePageTexts('people').people
  const [view, setView] = useState<View>('changes')
  return (
    <Tabs variant="pills" value={view} onChange={(value) => isView(value) && setView(value)} keepMounted={false}>
      <Tabs.List mb="xs">
        {views.map((each) => (
          <Tabs.Tab key={each} value={each} py={6}>
            {history.views[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {views.map((each) => (
        <Tabs.Panel key={each} value={each}>
          <Entries view={each} person={person} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const Entries = ({ view, person: { id, username } }: { view: View; person: Person }) => {
  const { history } = usePageTexts('people').people
  const operationTexts = useOperationTexts()
  const { query, pages, more } = usePages('listLogEntries', {
    query: { ...(view === 'changes' ? { record: `user:${id}`, changes: true } : { user: username }), limit: 50 },
  })
  const rows = useMemo(() => pages?.flatMap(({ entries }) => entries) ?? [], [pages])
  const columns: readonly Column<Entry>[] = [
    {
      id: 'time',
      title: history.time,
      width: '128px',
      render: ({ startTime }) => <Time value={startTime} />,
    },
    {
      id: 'what',
      title: history.what,
      width: 'minmax(160px, 2fr)',
      render: (entry) => {
        const address = `${entry.method} ${entry.path}`
        return <span title={address}>{describe(operationTexts, entry) || address}</span>
      },
    },
    ...(view === 'changes'
      ? [{ id: 'who', title: history.who, width: 'minmax(96px, 1fr)', render: ({ username }: Entry) => username }]
      : []),
    {
      id: 'result',
      title: history.result,
      width: '136px',
      render: (entry) => <LogResult entry={entry} />,
    },
    { id: 'ip', title: history.address, width: 'minmax(96px, 1fr)', render: ({ ip }) => ip },
  ]
  if (query.isPending) return <Loading />
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        {history.help[view]}
      </Text>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label={history.views[view]}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ remark }) => remark}
        more={more}
        height="calc(100vh - 260px)"
        empty={<Empty title={history.none} />}
      />
    </>
  )
}
