import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import { grantsEntry } from '../access/administrator-role.ts'
import type { Db } from '../db/client.ts'
import type { Passing } from '../db/counted-page.ts'
import type { Asked } from '../db/keyset.ts'
import { contains } from '../db/like.ts'
import { apiEntries, directoryEntries, groupMembers, roles, userRoles, users } from '../db/schema.ts'
import { searchedUserFields } from '../db/tables/fields.ts'
import type { components } from '../generated/operations.types.ts'
import { isMain } from '../mirror/record-sql.ts'
import { filteredBy, type OfAttributes, searchedIn } from './attributes/find.ts'
import { subtreeOf } from './group-writes.ts'
import {
  anyContains,
  beginsWithPair,
  containsPair,
  containsShort,
  isPair,
  isShort,
  startsWord,
} from './short-search.ts'

type Schemas = components['schemas']

/** Which people a list contains; an absent filter excludes nothing. */
export interface PeopleFilter extends Partial<OfAttributes> {
  /** Part of a searched field. */
  q?: string
  role?: number
  /** People with an enabled role that grants this API entry. */
  api?: number
  status?: Schemas['PersonStatus']
  source?: string
  sync?: Schemas['EntrySync']
  department?: number
  subtree?: boolean
  /** false: those who are not in the department. */
  member?: boolean
}

/** Those parts of a filter that decide which people a list contains. */
type Deciding = Record<Exclude<keyof PeopleFilter, 'shown' | 'searchedAttributes' | 'ownHidden'>, unknown>

/** A filter as a cursor holds it: a default is the same, whether it is given or not. */
export const askedOf = (filter: PeopleFilter): Asked => {
  const { q, role, api, status, source, sync, having, department } = filter
  const { subtree = false, member = true } = department === undefined ? {} : filter
  return { q, role, api, status, source, sync, having, department, subtree, member } satisfies Deciding
}

/** The value of `source` for people of no source. */
const local = 'local'

const searchedColumns = searchedUserFields.map((name) => users[name])
const exceptNickname = searchedUserFields.filter((name) => name !== 'nickname').map((name) => users[name])

const searched = (q: string, attributes: Partial<OfAttributes>, probing: boolean): SQL | undefined =>
  isShort(q)
    ? searchedShort(q, probing)
    : or(...searchedColumns.map((column) => contains(column, q)), searchedIn(users.attributes, attributes, q))

const searchedShort = (q: string, probing: boolean): SQL | undefined => {
  if (probing && isPair(q)) return or(containsPair(users.nickname, q), beginsWithPair(exceptNickname, q))
  // The fastest comparison comes first: a letter that most usernames begin with is then found at once.
  const exactly = or(...exceptNickname.map((column) => startsWord(column, q)), containsShort(users.nickname, q))
  return probing ? exactly : sql`case when ${anyContains(searchedColumns, q)} then ${exactly} else false end`
}

const ofSource = (source: string): SQL =>
  source === local
    ? sql`${users.sourceUserId} = ''`
    : sql`(${users.source} = ${source} and ${users.sourceUserId} <> '')`

const pending = sql`${isMain} and ${directoryEntries.kind} = 'user' and ${directoryEntries.version} <> ${directoryEntries.syncedVersion}`

/**
 * Pending entries are few, and have an index; a person without a row was never written. PostgreSQL cannot estimate
 * how few they are from two columns that differ. A list of their ids, in the order of the index, makes it begin there.
 */
const inSync = (state: Schemas['EntrySync'], probing: boolean): SQL => {
  if (state === 'synced') {
    return sql`exists (select from ${directoryEntries} where ${isMain} and ${directoryEntries.kind} = 'user'
      and ${directoryEntries.recordId} = ${users.id} and ${directoryEntries.version} = ${directoryEntries.syncedVersion})`
  }
  const parked = state === 'refused' ? sql`is null` : sql`is not null`
  const ids = sql`select ${directoryEntries.recordId} from ${directoryEntries}
    where ${pending} and ${directoryEntries.nextAt} ${parked}`
  return probing
    ? sql`${users.id} = any (array(${ids} order by ${directoryEntries.recordId}))`
    : sql`${users.id} in (${ids})`
}

/** The ids are values: PostgreSQL has statistics of how many people hold each role, and begins there if they are few. */
const holding = (roleIds: readonly number[]): SQL =>
  roleIds.length === 0
    ? sql`false`
    : sql`exists (select from ${userRoles} where ${userRoles.userId} = ${users.id} and ${inArray(userRoles.roleId, [...roleIds])})`

/** The enabled roles that grant an API entry; the administrator's grants all. */
const grantingRoles = async (db: Db, apiId: number): Promise<number[]> => {
  const rows = await db.execute<{ id: string }>(sql`select ${roles.id} as id from ${roles}
  where ${roles.status} = 1 and exists (select from ${apiEntries} where ${apiEntries.id} = ${apiId})
    and ${grantsEntry(sql`${apiId}`)}`)
  return rows.map(({ id }) => Number(id))
}

const belonging = (department: number, { subtree = false, member = true }: PeopleFilter): SQL => {
  const groupIds = subtree ? subtreeOf(department) : sql`select ${department}::bigint`
  return sql`${sql.raw(member ? '' : 'not ')}exists (select from ${groupMembers}
    where ${groupMembers.userId} = ${users.id} and ${groupMembers.groupId} = any (array(${groupIds})))`
}

/** The SQL conditions of a filter. */
export const passing = async (db: Db, filter: PeopleFilter): Promise<Passing> => {
  const granting = filter.api === undefined ? undefined : holding(await grantingRoles(db, filter.api))
  const conditions = (probing: boolean): SQL | undefined =>
    and(
      filter.q ? searched(filter.q, filter, probing) : undefined,
      filteredBy(users.attributes, filter),
      // As a constant: the index of the disabled ones is a partial one.
      filter.status && sql`${users.status} = ${sql.raw(filter.status === 'enabled' ? '1' : '2')}`,
      filter.source ? ofSource(filter.source) : undefined,
      filter.sync && inSync(filter.sync, probing),
      filter.role === undefined ? undefined : holding([filter.role]),
      granting,
      filter.department === undefined ? undefined : belonging(filter.department, filter),
    )
  return { probe: conditions(true), each: conditions(false) }
}
