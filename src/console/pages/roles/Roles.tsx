import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTexts } from '../../app/language.tsx'
import { usePageTexts } from '../../app/page-texts.ts'
import { useReading } from '../../app/queries.ts'
import { Granted, useMay } from '../../app/session.tsx'
import { type Column, DataTable, type Sort } from '../../ui/DataTable.tsx'
import { Late } from '../../ui/Late.tsx'
import { Meaning } from '../../ui/Meaning.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageLink } from '../../ui/PageLink.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Empty, PageFor, QueryState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { textOf, useAddress } from '../../ui/use-search.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { HolderCount } from './HolderCount.tsx'
import { NewRole } from './NewRole.tsx'
import type { Role } from './role-access.ts'

/** All roles: how high they are, and how many people have them. */
export const Roles = () => {
  const { nav } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  return (
    <PageFor operation="listRoles">
      <Page
        title={nav.roles}
        actions={
          <Granted to="addRole">
            <Button onClick={() => setSearch({ new: 1 })}>{permissions.roles.add}</Button>
          </Granted>
        }
      >
        <RoleList />
        <Late wanted={search.new !== undefined}>
          <NewRole />
        </Late>
      </Page>
    </PageFor>
  )
}

const orders: Readonly<Record<string, (one: Role, other: Role) => number>> = {
  name: (one, other) => one.name.localeCompare(other.name),
  rank: (one, other) => one.sort - other.sort || one.name.localeCompare(other.name),
  changed: (one, other) => one.updatedAt.localeCompare(other.updatedAt),
}

const useColumns = (): Column<Role>[] => {
  const texts = usePageTexts('permissions')
  const { roles } = texts.permissions
  const mayCount = useMay('listRoleHolders')
  return [
    {
      id: 'name',
      title: roles.name,
      width: 'minmax(140px, 1.5fr)',
      sort: 'name',
      render: ({ id, name }) => (
        <PageLink to="/roles/$id" params={{ id: String(id) }} title={name} tabIndex={-1}>
          {name}
        </PageLink>
      ),
    },
    {
      id: 'keyword',
      title: roles.keyword,
      width: 'minmax(100px, 1fr)',
      render: ({ keyword }) => <span className="mono">{keyword}</span>,
    },
    { id: 'rank', title: roles.rank, width: '80px', sort: 'rank', end: true, render: (role) => role.sort },
    ...(mayCount
      ? [
          {
            id: 'holders',
            title: roles.holders,
            width: '80px',
            end: true,
            render: (role: Role) => <HolderCount id={role.id} />,
          },
        ]
      : []),
    {
      id: 'status',
      title: roles.status,
      width: '120px',
      render: ({ status }) => (
        <Meaning level={status === 1 ? 'safe' : 'none'}>
          {status === 1 ? texts.status.enabled : texts.status.disabled}
        </Meaning>
      ),
    },
    {
      id: 'description',
      title: roles.description,
      width: 'minmax(120px, 2fr)',
      render: ({ remark }) => <span title={remark}>{remark}</span>,
    },
    {
      id: 'changed',
      title: roles.changed,
      width: '140px',
      sort: 'changed',
      render: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ]
}

const RoleList = () => {
  const texts = usePageTexts('permissions')
  const { roles } = texts.permissions
  const navigate = useNavigate()
  const [search, setSearch] = useAddress()
  const [typed, setTyped, q] = useTyped('q')
  const query = useReading('listRoles', {})
  const sort: Sort = { by: textOf(search.by) || 'rank', descending: textOf(search.order) === 'desc' }
  const shown = useMemo(() => {
    const wanted = q.toLowerCase()
    const order = orders[sort.by] ?? orders.rank
    const found = (query.data?.roles ?? []).filter(({ name, keyword }) =>
      `${name} ${keyword}`.toLowerCase().includes(wanted),
    )
    const sorted = found.sort(order)
    return sort.descending ? sorted.reverse() : sorted
  }, [query.data, q, sort.by, sort.descending])
  const columns = useColumns()
  return (
    <QueryState query={query}>
      {() => (
        <Stack gap="sm">
          <Group gap="sm">
            <SearchInput value={typed} onChange={setTyped} label={roles.search} />
            <Text size="sm" c="dimmed" role="status">
              {texts.table.total(shown.length)}
            </Text>
          </Group>
          <DataTable
            label={texts.nav.roles}
            columns={columns}
            rows={shown}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            sort={sort}
            onSort={({ by, descending }) => setSearch({ by: by === 'rank' ? '' : by, order: descending ? 'desc' : '' })}
            onOpen={({ id }) => void navigate({ to: '/roles/$id', params: { id: String(id) } })}
            empty={<Empty title={texts.states.emptyFiltered} />}
          />
          <Text size="sm" c="dimmed">
            {roles.rankHelp}
          </Text>
        </Stack>
      )}
    </QueryState>
  )
}
