import { Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { Data } from '../app/api.ts'
import { useTexts } from '../app/language.tsx'
import { usePageTexts } from '../app/page-texts.ts'
import { usePages } from '../app/paging.ts'
import { useMay } from '../app/session.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { Meaning } from './Meaning.tsx'
import { PageLink } from './PageLink.tsx'
import { SearchInput } from './SearchInput.tsx'
import { QueryState } from './states.tsx'
import { useIsPhone } from './use-is-phone.ts'
import { textOf, useAddress } from './use-search.ts'
import { useTyped } from './use-typed.ts'

type PersonList = Data<'listMembers'>
export type Person = PersonList['people'][number]

interface PersonTableProps {
  /** Who is listed: the members of a group or all others, or those who have a role or an operation. */
  operation: 'listMembers' | 'listRoleHolders' | 'listApiHolders'
  /** Of the group, role or entry. */
  id: number
  /** For members: false lists all others. */
  member?: false
  label: string
  /** Shown where the list is empty and nothing is searched. */
  empty: ReactNode
  /** The name of the search in the address. */
  searchName: string
  selected?: ReadonlySet<string | number>
  onSelect?(selected: ReadonlySet<string | number>): void
  lockedOf?(person: Person): string | undefined
  /** Beside the search. */
  actions?: ReactNode
  height?: string
}

const sorts = ['username', 'name', 'status'] as const
type Order = (typeof sorts)[number]

/** A phone shows two columns, and the others when they are scrolled to. */
const onPhone = ['name', 'status', 'username', 'departments']

const useColumns = (mayOpen: boolean): Column<Person>[] => {
  const { status } = useTexts()
  const { permissions, listed } = usePageTexts('permissions')
  const isPhone = useIsPhone()
  const columns: Column<Person>[] = [
    {
      id: 'name',
      title: permissions.people.name,
      width: 'minmax(120px, 2fr)',
      sort: 'name',
      render: ({ id: person, name, username }) =>
        mayOpen ? (
          <PageLink to="/people" search={{ person }} title={name || username} tabIndex={-1}>
            {name || username}
          </PageLink>
        ) : (
          <span title={name || username}>{name || username}</span>
        ),
    },
    {
      id: 'username',
      title: permissions.people.username,
      width: 'minmax(110px, 1.5fr)',
      sort: 'username',
      render: ({ username }) => <span title={username}>{username}</span>,
    },
    {
      id: 'departments',
      title: permissions.people.departments,
      width: 'minmax(110px, 2fr)',
      render: ({ departments }) => {
        const names = listed(departments.map(({ name }) => name))
        return <span title={names}>{names}</span>
      },
    },
    {
      id: 'status',
      title: permissions.people.status,
      width: '110px',
      sort: 'status',
      render: (person) => (
        <Meaning level={person.status === 'enabled' ? 'safe' : 'none'}>{status[person.status]}</Meaning>
      ),
    },
  ]
  return isPhone ? columns.sort((a, b) => onPhone.indexOf(a.id) - onPhone.indexOf(b.id)) : columns
}

/** People of something, however many: searched, sorted and paged by the service. */
export const PersonTable = ({
  operation,
  id,
  member,
  label,
  empty,
  searchName,
  actions,
  height = 'calc(100vh - 300px)',
  ...selection
}: PersonTableProps) => {
  const { states } = useTexts()
  const { permissions } = usePageTexts('permissions')
  const [search, setSearch] = useAddress()
  const [typed, setTyped, q] = useTyped(searchName)
  const by: Order = sorts.find((each) => each === search.by) ?? 'username'
  const descending = textOf(search.order) === 'desc'
  const { query, pages, more } = usePages(operation, {
    path: { id },
    query: {
      ...(member === false && { member }),
      ...(q !== '' && { q }),
      sort: by,
      order: descending ? 'desc' : 'asc',
      limit: 100,
    },
  })
  const people = useMemo(() => (pages ?? []).flatMap((page): Person[] => page.people), [pages])
  const first = pages?.[0]
  const navigate = useNavigate()
  const mayOpen = useMay('listPeople')
  const columns = useColumns(mayOpen)
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchInput value={typed} onChange={setTyped} label={permissions.people.search} />
        <Text size="sm" c="dimmed" role="status">
          {first !== undefined && permissions.people.total(first.total, first.totalIsExact)}
        </Text>
        <Group gap="xs" ml="auto">
          {actions}
        </Group>
      </Group>
      <QueryState query={query}>
        {() => (
          <DataTable
            label={label}
            columns={columns}
            rows={people}
            keyOf={(person) => person.id}
            nameOf={({ name, username }) => name || username}
            sort={{ by, descending }}
            onSort={(sort) =>
              setSearch({ by: sort.by === 'username' ? '' : sort.by, order: sort.descending ? 'desc' : '' })
            }
            {...(mayOpen &&
              selection.selected === undefined && {
                onOpen: ({ id: person }: Person) => void navigate({ to: '/people', search: { person } }),
              })}
            more={more}
            empty={q === '' ? empty : <Text p="md">{states.emptyFiltered}</Text>}
            height={height}
            {...selection}
          />
        )}
      </QueryState>
    </Stack>
  )
}
