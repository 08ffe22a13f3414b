import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Data } from '../../app/api.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Empty, Failed, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Person } from './PersonDrawer.tsx'

type Entry = Data<'listLogEntries'>['entries'][number]

const levels = { success: 'safe', refused: 'risk', failed: 'danger' } as const

/** What a person did, from the operation log. */
export const HistoryTab = ({ person: { username } }: { person: Person }) => {
  const { people } = usePageTexts('people')
  const { history } = people
  const { query, pages, more } = usePages('listLogEntries', { query: { user: username, limit: 50 } })
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
      render: ({ remark, method, path }) => <span title={`${method} ${path}`}>{remark || `${method} ${path}`}</span>,
    },
    {
      id: 'result',
      title: history.result,
      width: '112px',
      render: ({ result }) => <Meaning level={levels[result]}>{history.results[result]}</Meaning>,
    },
    { id: 'ip', title: history.address, width: 'minmax(96px, 1fr)', render: ({ ip }) => ip },
  ]
  if (query.isPending) return <Loading />
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        {history.help}
      </Text>
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        label={history.label}
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
