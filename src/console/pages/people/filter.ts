import { useCallback } from 'react'
import type { Input } from '../../app/api.ts'
import type { Sort } from '../../ui/DataTable.tsx'
import { numberOf, textOf, useAddress } from '../../ui/use-search.ts'
import { useHaving } from '../attributes/AttributeFilter.tsx'

export type PeopleQuery = NonNullable<Input<'listPeople'>['query']>

const orders = ['username', 'name', 'status', 'createdAt', 'updatedAt'] as const
const statuses = ['enabled', 'disabled'] as const
const syncs = ['synced', 'waiting', 'refused'] as const
export const sources = ['local', 'exta', 'extb', 'extc', 'extldap'] as const

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value)

/** What the address may say of the list, without which department it is of. */
export const filterNames = ['q', 'status', 'role', 'source', 'sync', 'having', 'value'] as const
/** What a saved view holds. */
export const viewNames = [...filterNames, 'department', 'direct', 'sort', 'desc'] as const

/** What the address says the list shows. An unknown value counts for none, so that an old link still shows a list. */
export const usePeopleFilter = () => {
  const [search, setSearch] = useAddress()
  const department = numberOf(search.department)
  const role = numberOf(search.role)
  const status = oneOf(statuses, search.status)
  const sync = oneOf(syncs, search.sync)
  const source = textOf(search.source)
  const q = textOf(search.q)
  const attribute = useHaving()
  const sort = oneOf(orders, search.sort) ?? 'username'
  const descending = search.desc === true
  /** Only direct members of the department. */
  const direct = search.direct === true
  const query: PeopleQuery = {
    limit: 100,
    sort,
    order: descending ? 'desc' : 'asc',
    ...(q !== '' && { q }),
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(sync !== undefined && { sync }),
    ...(source !== '' && { source }),
    ...(attribute !== undefined && { attribute }),
    ...(department !== undefined && { department, subtree: !direct }),
  }
  const onSort = useCallback(
    ({ by, descending: down }: Sort) =>
      setSearch({ sort: by === 'username' ? undefined : by, desc: down || undefined }, { replace: true }),
    [setSearch],
  )
  return {
    search,
    setSearch,
    query,
    department: department ?? null,
    role,
    status,
    sync,
    source,
    direct,
    sort: { by: sort, descending },
    onSort,
    isFiltered: filterNames.some((name) => textOf(search[name]) !== ''),
    clear: () => setSearch(Object.fromEntries(filterNames.map((name) => [name, undefined]))),
  }
}

export type PeopleFilter = ReturnType<typeof usePeopleFilter>
