import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTexts } from '../../app/language.tsx'
import { describe, factsOf, operationOf, useOperationTexts } from '../../app/operations.ts'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted } from '../../app/session.tsx'
import { type Column, DataTable, type Sort } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { Page } from '../../ui/Page.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { numberOf, textOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { ApiDrawer } from './ApiDrawer.tsx'
import { type Entry, type Origin, originOf } from './origin.ts'

/** What can be granted to roles: the service's operations, and what was added by hand. */
export const ApiEntries = () => {
  const { nav } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  const query = useReading('listApis', {})
  return (
    <PageFor operation="listApis">
      <Page
        title={nav.apis}
        actions={
          <Granted to="addApi">
            <Button onClick={() => setSearch({ new: 1, entry: '' })}>{permissions.apis.add}</Button>
          </Granted>
        }
      >
        <QueryState query={query}>
          {({ apis }) => (
            <>
              <EntryList entries={apis} />
              <Late wanted={Boolean(search.entry ?? search.new)}>
                <ApiDrawer entries={apis} />
              </Late>
            </>
          )}
        </QueryState>
      </Page>
    </PageFor>
  )
}

/** An entry in the chosen language. */
interface Row {
  entry: Entry
  description: string
  category: string
  document: string
  origin: Origin
}

const useRows = (entries: readonly Entry[]): Row[] => {
  const texts = useOperationTexts()
  return useMemo(
    () =>
      entries.map((entry) => {
        const id = operationOf(entry)
        const facts = id === undefined ? undefined : factsOf(id)
        return {
          entry,
          description: describe(texts, entry),
          category: facts === undefined ? entry.category : texts.tags[facts.tag],
          document: facts === undefined ? '' : texts.documents[facts.document],
          origin: originOf(entry),
        }
      }),
    [entries, texts],
  )
}

const orders: Readonly<Record<string, (one: Row, other: Row) => number>> = {
  path: (one, other) =>
    one.entry.path.localeCompare(other.entry.path) || one.entry.method.localeCompare(other.entry.method),
  method: (one, other) => one.entry.method.localeCompare(other.entry.method),
  category: (one, other) =>
    one.document.localeCompare(other.document) ||
    one.category.localeCompare(other.category) ||
    one.entry.path.localeCompare(other.entry.path),
  description: (one, other) => one.description.localeCompare(other.description),
}

const origins: readonly Origin[] = ['ofService', 'own', 'gone']

const useColumns = (): Column<Row>[] => {
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  return [
    {
      id: 'method',
      title: apis.method,
      width: '90px',
      sort: 'method',
      render: ({ entry }) => <span className="mono">{entry.method}</span>,
    },
    {
      id: 'path',
      title: apis.path,
      width: 'minmax(200px, 2fr)',
      sort: 'path',
      render: ({ entry }) => (
        <span className="mono" title={entry.path}>
          {entry.path}
        </span>
      ),
    },
    {
      id: 'description',
      title: apis.description,
      width: 'minmax(160px, 2fr)',
      sort: 'description',
      render: ({ description }) => <span title={description}>{description}</span>,
    },
    {
      id: 'category',
      title: apis.category,
      width: 'minmax(150px, 1.5fr)',
      sort: 'category',
      render: ({ category: own, document }) => {
        const text = document === '' ? own : `${document} / ${own}`
        return <span title={text}>{text}</span>
      },
    },
    {
      id: 'origin',
      title: apis.origin,
      width: '110px',
      render: (row) => <span className={row.origin === 'ofService' ? 'dimmed' : undefined}>{apis[row.origin]}</span>,
    },
  ]
}

const choices = (values: readonly string[]): string[] => [...new Set(values)].sort((a, b) => a.localeCompare(b))

const Filters = ({ rows }: { rows: readonly Row[] }) => {
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  const [search, setSearch] = useAddress()
  const method = textOf(search.method)
  const category = textOf(search.category)
  const origin = textOf(search.origin)
  return (
    <>
      <Select
        aria-label={apis.method}
        placeholder={apis.allMethods}
        data={choices(rows.map(({ entry }) => entry.method))}
        value={method === '' ? null : method}
        onChange={(value) => setSearch({ method: value ?? '' })}
        clearable
        w={170}
      />
      <Select
        aria-label={apis.category}
        placeholder={apis.allCategories}
        data={choices(rows.map((row) => row.category))}
        value={category === '' ? null : category}
        onChange={(value) => setSearch({ category: value ?? '' })}
        searchable
        clearable
        w={170}
      />
      <Select
        aria-label={apis.origin}
        placeholder={apis.allOrigins}
        data={origins.map((value) => ({ value, label: apis[value] }))}
        value={origin === '' ? null : origin}
        onChange={(value) => setSearch({ origin: value ?? '' })}
        clearable
        w={170}
      />
    </>
  )
}

const EntryList = ({ entries }: { entries: readonly Entry[] }) => {
  const { nav, table, states } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { apis } = permissions
  const [search, setSearch] = useAddress()
  const [typed, setTyped, q] = useTyped('q')
  const rows = useRows(entries)
  const sort: Sort = { by: textOf(search.by) || 'category', descending: textOf(search.order) === 'desc' }
  const method = textOf(search.method)
  const category = textOf(search.category)
  const origin = textOf(search.origin)
  const shown = useMemo(() => {
    const wanted = q.toLowerCase()
    const found = rows.filter(
      (row) =>
        (method === '' || row.entry.method === method) &&
        (category === '' || row.category === category) &&
        (origin === '' || row.origin === origin) &&
        `${row.entry.path} ${row.description} ${row.category} ${row.document}`.toLowerCase().includes(wanted),
    )
    found.sort(orders[sort.by] ?? orders.category)
    return sort.descending ? found.reverse() : found
  }, [rows, q, method, category, origin, sort.by, sort.descending])
  const columns = useColumns()
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchInput value={typed} onChange={setTyped} label={apis.search} />
        <Filters rows={rows} />
        <Text size="sm" c="dimmed" role="status">
          {table.total(shown.length)}
        </Text>
      </Group>
      <DataTable
        label={nav.apis}
        columns={columns}
        rows={shown}
        keyOf={({ entry }) => entry.id}
        nameOf={({ entry }) => `${entry.method} ${entry.path}`}
        sort={sort}
        onSort={({ by, descending }) => setSearch({ by: by === 'category' ? '' : by, order: descending ? 'desc' : '' })}
        current={numberOf(search.entry)}
        onOpen={({ entry }) => setSearch({ entry: entry.id, tab: '', new: '' })}
        empty={<Empty title={states.emptyFiltered} />}
      />
    </Stack>
  )
}
