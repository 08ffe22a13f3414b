import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { addressOf, type Data } from '../../app/api.ts'
import { useTexts } from '../../app/language.tsx'
import { describe, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { LogResult } from '../../ui/LogResult.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Loading, PageFor } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { numberOf } from '../../ui/use-search.ts'
import { ChainState } from './ChainState.tsx'
import { DeleteEntries, useEmptyLog } from './DeleteEntries.tsx'
import { EntryDrawer } from './EntryDrawer.tsx'
import { useLogFilter } from './filter.ts'
import { LogFilters } from './LogFilters.tsx'

type Entry = Data<'listLogEntries'>['entries'][number]

/** Who did what, when, and with what result. */
export const OperationLog = () => (
  <PageFor operation="listLogEntries">
    <LogPage />
  </PageFor>
)

/** A phone shows what was done beside the time, the rest further to the side. */
const onPhone = ['time', 'what', 'result', 'caller', 'address', 'took']

const useColumns = (): Column<Entry>[] => {
  const { log } = usePageTexts('log')
  const operationTexts = useOperationTexts()
  const isPhone = useIsPhone()
  const columns: Column<Entry>[] = [
    {
      id: 'time',
      title: log.columns.time,
      width: isPhone ? '104px' : 'minmax(120px, 1fr)',
      twoLines: true,
      render: ({ startTime }) => <Time value={startTime} />,
    },
    {
      id: 'caller',
      title: log.columns.caller,
      width: 'minmax(120px, 1fr)',
      render: ({ username }) =>
        username === '' ? (
          <Text span c="dimmed">
            {log.anonymous}
          </Text>
        ) : (
          <span title={username}>{username}</span>
        ),
    },
    {
      id: 'what',
      title: log.columns.what,
      width: isPhone ? '184px' : 'minmax(220px, 3fr)',
      twoLines: true,
      render: (entry) => (
        <span title={`${entry.method} ${entry.path}`}>
          {describe(operationTexts, entry) || `${entry.method} ${entry.path}`}
          {entry.times > 1 && ` · ${log.times(entry.times)}`}
        </span>
      ),
    },
    {
      id: 'result',
      title: log.columns.result,
      width: '136px',
      render: (entry) => <LogResult entry={entry} />,
    },
    {
      id: 'address',
      title: log.columns.address,
      width: 'minmax(100px, 1fr)',
      render: ({ ip }) => <span title={ip}>{ip}</span>,
    },
    {
      id: 'took',
      title: log.columns.took,
      width: '96px',
      end: true,
      render: ({ timeCost }) => log.milliseconds(timeCost),
    },
  ]
  return isPhone ? columns.sort((a, b) => onPhone.indexOf(a.id) - onPhone.indexOf(b.id)) : columns
}

/** The entries that fit the filters, as a file. */
const ExportMenu = ({ query }: { query: ReturnType<typeof useLogFilter>['query'] }) => {
  const { log, actions } = usePageTexts('log')
  return (
    <Granted to="exportLog">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{actions.export}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['csv', 'ndjson'] as const).map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={addressOf('exportLog', { query: { ...query, format } })}
              download={`operation-log.${format}`}
            >
              {format === 'csv' ? log.exportCsv : log.exportNdjson}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Granted>
  )
}

const EmptyLog = () => {
  const { log } = usePageTexts('log')
  const empty = useEmptyLog()
  return (
    <Granted to="cleanOperationLogs">
      <Button variant="subtle" color="red" onClick={() => void empty()}>
        {log.remove.all}
      </Button>
    </Granted>
  )
}

/** Why the list is empty, with the way out of filters that nothing fits. */
const NothingFound = () => {
  const { states, actions } = useTexts()
  const { isFiltered, clear } = useLogFilter()
  return (
    <Empty title={isFiltered ? states.emptyFiltered : states.empty}>
      {isFiltered && (
        <Button variant="default" onClick={clear}>
          {actions.clearFilters}
        </Button>
      )}
    </Empty>
  )
}

const LogPage = () => {
  const { nav, log } = usePageTexts('log')
  const { search, setSearch, query } = useLogFilter()
  const list = usePages('listLogEntries', { query })
  const open = numberOf(search.entry)
  const entries = list.pages?.flatMap((page) => page.entries) ?? []
  const columns = useColumns()
  const mayDelete = useMay('deleteOperationLogs')
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set())
  const chosen = entries.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  return (
    <Page
      title={nav.log}
      actions={
        <>
          <EmptyLog />
          <ExportMenu query={query} />
        </>
      }
    >
      <Stack gap="sm">
        <Granted to="getLogChain">
          <ChainState />
        </Granted>
        <LogFilters />
        {list.query.isError && <Failed error={list.query.error} retry={() => void list.query.refetch()} />}
        {list.pages === undefined ? (
          list.query.isPending && <Loading />
        ) : (
          <>
            {chosen.length > 0 && (
              <Group>
                <DeleteEntries ids={chosen} onDone={() => setSelected(new Set())} />
              </Group>
            )}
            <DataTable
              label={log.label}
              columns={columns}
              rows={entries}
              keyOf={({ id }) => id}
              nameOf={({ id }) => log.entry.title(id)}
              current={open}
              onOpen={({ id }) => setSearch({ entry: id })}
              more={list.more}
              height="calc(100vh - 260px)"
              empty={<NothingFound />}
              {...(mayDelete && { selected, onSelect: setSelected })}
            />
          </>
        )}
      </Stack>
      <Late wanted={open !== undefined}>
        <EntryDrawer id={open} onClose={() => setSearch({ entry: undefined })} />
      </Late>
    </Page>
  )
}
