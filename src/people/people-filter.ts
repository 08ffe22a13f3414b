import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { administratorKeyword } from '../access/principal-query.ts'
import { contains } from '../db/like.ts'
import { apiEntries, directoryEntries, groupMembers, roleApis, roles, userRoles, users } from '../db/schema.ts'
import { searchedUserFields } from '../db/tables/fields.ts'
import type { components } from '../generated/operations.types.ts'
import { subtreeOf } from './group-writes.ts'
import { containsShort, isShort, startsWord } from './short-search.ts'

type Schemas = components['schemas']

/** The people a list is about; what is absent filters nothing. */
export interface PeopleFilter {
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

/** The value of `source` for people of no source. */
const local = 'local'

const searched = (q: string): SQL | undefined =>
  isShort(q)
    ? or(
        containsShort(users.nickname, q),
        ...searchedUserFields.filter((name) => name !== 'nickname').map((name) => startsWord(users[name], q)),
      )
    : or(...searchedUserFields.map((name) => contains(users[name], q)))

const ofSource = (source: string): SQL =>
  source === local
    ? sql`${users.sourceUserId} = ''`
    : sql`(${users.source} = ${source} and ${users.sourceUserId} <> '')`

const pending = sql`${directoryEntries.kind} = 'user' and ${directoryEntries.version} <> ${directoryEntries.syncedVersion}`

/** Those that wait are few, and have an index; a person without a row was never written. */
const inSync = (state: Schemas['EntrySync']): SQL => {
  if (state === 'synced') {
    return sql`exists (select from ${directoryEntries} where ${directoryEntries.kind} = 'user'
      and ${directoryEntries.recordId} = ${users.id} and ${directoryEntries.version} = ${directoryEntries.syncedVersion})`
  }
  const parked = state === 'refused' ? sql`is null` : sql`is not null`
  return sql`${users.id} in (select ${directoryEntries.recordId} from ${directoryEntries}
    where ${pending} and ${directoryEntries.nextAt} ${parked})`
}

const holding = (roleIds: SQL): SQL => sql`exists (select from ${userRoles}
  where ${userRoles.userId} = ${users.id} and ${userRoles.roleId} = any (array(${roleIds})))`

/** Selects the enabled roles that grant an API entry; the administrator's grants all. */
const grantingRoles = (apiId: number): SQL => sql`select ${roles.id} from ${roles}
  where ${roles.status} = 1 and exists (select from ${apiEntries} where ${apiEntries.id} = ${apiId})
    and (${roles.keyword} = ${administratorKeyword}
      or ${roles.id} in (select ${roleApis.roleId} from ${roleApis} where ${roleApis.apiId} = ${apiId}))`

const belonging = (department: number, { subtree = false, member = true }: PeopleFilter): SQL => {
  const groupIds = subtree ? subtreeOf(department) : sql`select ${department}::bigint`
  return sql`${sql.raw(member ? '' : 'not ')}exists (select from ${groupMembers}
    where ${groupMembers.userId} = ${users.id} and ${groupMembers.groupId} = any (array(${groupIds})))`
}

/** The condition for the people that a filter lets pass; undefined: all. */
export const passing = (filter: PeopleFilter): SQL | undefined =>
  and(
    filter.q ? searched(filter.q) : undefined,
    filter.status && eq(users.status, filter.status === 'enabled' ? 1 : 2),
    filter.source ? ofSource(filter.source) : undefined,
    filter.sync && inSync(filter.sync),
    filter.role === undefined ? undefined : holding(sql`select ${filter.role}::bigint`),
    filter.api === undefined ? undefined : holding(grantingRoles(filter.api)),
    filter.department === undefined ? undefined : belonging(filter.department, filter),
  )
