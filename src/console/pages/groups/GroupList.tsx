import { Anchor, Stack, Text } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useFailureText } from '../../app/failures.ts'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { usePages } from '../../app/paging.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, Failed, Loading, QueryState } from '../../ui/states.tsx'
import { TreeCell } from '../../ui/TreeCell.tsx'
import { numberOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { AttributeFilter, useHaving } from '../attributes/AttributeFilter.tsx'
import { ColumnChooser } from '../attributes/ColumnChooser.tsx'
import { type Listed, useChosenColumns } from '../attributes/chosen-columns.ts'
import { EntryMark } from './EntryMark.tsx'
import { type Department, type Row, useBranches } from './use-branches.ts'

export const GroupList = () => {
  const { permissions } = usePageTexts('permissions')
  const [typed, setTyped, q] = useTyped('q')
  const attribute = useHaving()
  const [attributes, tell] = useState<readonly Listed[]>([])
  const columns = useColumns(attributes)
  return (
    <Stack gap="sm">
      <div className="filters" role="search">
        <SearchInput value={typed} onChange={setTyped} label={permissions.groups.search} />
        <AttributeFilter attributes={attributes} />
        <span className="at-end">
          <ColumnChooser {...columns.chooser} />
        </span>
      </div>
      {q === '' && attribute === undefined ? (
        <Tree {...columns} tell={tell} />
      ) : (
        <Hits
          query={{ ...(q !== '' && { q }), ...(attribute !== undefined && { attribute }) }}
          {...columns}
          tell={tell}
        />
      )}
    </Stack>
  )
}

interface ListProps extends Pick<ReturnType<typeof useColumns>, 'show' | 'columns'> {
  /** Tells of the declared attributes that the list named. */
  tell(attributes: readonly Listed[]): void
}

/** The columns after the name, of the tree and of a search alike. */
const useColumns = (attributes: readonly Listed[]) => {
  const { permissions } = usePageTexts('permissions')
  const { groups } = permissions
  const all: Column<Department>[] = [
    { id: 'kind', title: groups.kind, width: '90px', render: ({ type }) => groups.kinds[type] },
    { id: 'members', title: groups.members, width: '90px', end: true, render: ({ memberCount }) => memberCount },
    {
      id: 'source',
      title: groups.source,
      width: '100px',
      render: ({ source }) => (source === '' ? <span className="dimmed">{groups.local}</span> : source),
    },
    { id: 'directory', title: groups.directory, width: '120px', render: ({ sync }) => <EntryMark sync={sync} /> },
    {
      id: 'description',
      title: groups.description,
      width: 'minmax(120px, 2fr)',
      render: ({ remark }) => <span title={remark}>{remark}</span>,
    },
  ]
  const chosen = useChosenColumns('groups.columns', { all, first: all.map(({ id }) => id) })
  return { show: chosen.show, ...chosen.with(attributes) }
}

/** Opens a group beside the list. */
const useOpen = () => {
  const [search, setSearch] = useAddress()
  return {
    current: numberOf(search.group),
    open: (id: number): void => setSearch({ group: id, tab: '', new: '', mq: '', by: '', order: '' }),
  }
}

const Tree = ({ show, columns, tell }: ListProps) => {
  const { nav } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { groups, tree } = permissions
  const failureText = useFailureText()
  const { rows, first, toggle } = useBranches(show)
  const { current, open } = useOpen()
  const attributes = first?.data?.attributes
  useEffect(() => {
    if (attributes !== undefined) tell(attributes)
  }, [attributes, tell])
  if (first?.data === undefined) {
    return first?.isError ? <Failed error={first.error} retry={() => void first.refetch()} /> : <Loading />
  }
  const nameColumn: Column<Row> = {
    id: 'name',
    title: groups.name,
    width: 'minmax(220px, 3fr)',
    render: (row) => {
      const toggleRow = (): void => {
        if (row.kind === 'group') toggle(row.group.id)
      }
      const name = row.kind === 'group' ? row.group.name : ''
      return (
        <TreeCell
          level={row.level}
          expanded={row.kind === 'group' ? row.expanded : undefined}
          toggle={toggleRow}
          label={tree.open(name)}
        >
          {row.kind === 'group' && <span title={name}>{name}</span>}
          {row.kind === 'loading' && <span className="dimmed">…</span>}
          {row.kind === 'more' && (
            <Anchor component="button" type="button" size="sm" onClick={row.load} tabIndex={-1}>
              {tree.showMore(row.left)}
            </Anchor>
          )}
          {row.kind === 'failed' && (
            <Anchor component="button" type="button" size="sm" c="var(--danger)" onClick={row.retry} tabIndex={-1}>
              {failureText(row.error)}
            </Anchor>
          )}
        </TreeCell>
      )
    },
  }
  const rest = columns.map(
    ({ render, ...column }): Column<Row> => ({
      ...column,
      render: (row) => (row.kind === 'group' ? render(row.group) : null),
    }),
  )
  return (
    <DataTable
      label={nav.groups}
      columns={[nameColumn, ...rest]}
      rows={rows}
      keyOf={({ key }) => key}
      nameOf={(row) => (row.kind === 'group' ? row.group.name : '')}
      current={current === undefined ? undefined : `group ${current}`}
      onOpen={(row) => {
        if (row.kind === 'group') open(row.group.id)
        else if (row.kind === 'more') row.load()
        else if (row.kind === 'failed') row.retry()
      }}
      tree={{
        levelOf: ({ level }) => level,
        expandedOf: (row) => (row.kind === 'group' ? row.expanded : undefined),
        toggle: (row) => {
          if (row.kind === 'group') toggle(row.group.id)
        },
      }}
      empty={<Empty title={groups.emptyTitle} help={groups.emptyHelp} />}
    />
  )
}

const Hits = ({
  query: filter,
  show,
  columns: others,
  tell,
}: ListProps & { query: { q?: string; attribute?: string } }) => {
  const { nav, table, states } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const { groups } = permissions
  const { query, pages, more } = usePages('listDepartments', { query: { ...filter, ...show, limit: 100 } })
  const found = useMemo(() => (pages ?? []).flatMap(({ departments }) => departments), [pages])
  const { current, open } = useOpen()
  const columns: Column<Department>[] = [
    {
      id: 'name',
      title: groups.name,
      width: 'minmax(160px, 2fr)',
      render: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: 'path',
      title: groups.path,
      width: 'minmax(160px, 2fr)',
      render: ({ path }) => {
        const place = (path ?? [])
          .slice(0, -1)
          .map((step) => step.name)
          .join(' / ')
        return (
          <span className="dimmed" title={place}>
            {place === '' ? groups.top : place}
          </span>
        )
      },
    },
    ...others,
  ]
  const first = pages?.[0]
  const attributes = first?.attributes
  useEffect(() => {
    if (attributes !== undefined) tell(attributes)
  }, [attributes, tell])
  return (
    <QueryState query={query}>
      {() => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {first !== undefined && (first.totalIsExact ? table.total(first.total) : table.totalAtLeast(first.total))}
          </Text>
          <DataTable
            label={nav.groups}
            columns={columns}
            rows={found}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            current={current}
            onOpen={({ id }) => open(id)}
            more={more}
            empty={<Empty title={states.emptyFiltered} />}
          />
        </Stack>
      )}
    </QueryState>
  )
}
