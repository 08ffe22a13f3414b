import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { readCountedPage } from '../db/counted-page.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { type KeyedRow, type KeysetQuery, keysetOf, type SortKey } from '../db/keyset.ts'
import { groupMembers, groups, roles, sessions, userRoles, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { entrySync, joinDirectoryEntry } from '../mirror/record-sql.ts'
import { accessToUser } from './access-sql.ts'
import { shownValues } from './attributes/find.ts'
import { askedOf, type PeopleFilter, passing } from './people-filter.ts'

type Schemas = components['schemas']
export type PersonSummary = Schemas['PersonSummary']
export type PersonList = Schemas['PersonList']

export interface PeopleQuery extends KeysetQuery {
  sort?: Schemas['PeopleOrder']
  order?: Schemas['SortDirection']
}

/** Each has an index. */
const sortKeys: Readonly<Record<Schemas['PeopleOrder'], SortKey>> = {
  username: { by: sql`${users.usernameKey}`, type: 'text', unique: true },
  name: { by: sql`lower(${users.nickname})`, type: 'text' },
  status: { by: sql`${users.status}`, type: 'integer' },
  createdAt: { by: sql`${users.createdAt}`, type: 'instant' },
  updatedAt: { by: sql`${users.updatedAt}`, type: 'instant' },
}

/** Roles, groups and sign-ins, collected only for the people on the page. */
const joinAll = written(sql`
  ${joinDirectoryEntry('user', users.id)}
  cross join lateral (
    select min(${roles.sort}) as rank,
      coalesce(json_agg(json_build_object('id', ${roles.id}, 'name', ${roles.name})
        order by ${roles.sort}, ${roles.id}), '[]'::json) as list
    from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${users.id}
  ) as held
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', ${groups.id}, 'name', ${groups.groupName})
      order by ${groups.groupName}, ${groups.id}), '[]'::json) as list
    from ${groupMembers} join ${groups} on ${groups.id} = ${groupMembers.groupId}
    where ${groupMembers.userId} = ${users.id}
  ) as joined
  cross join lateral (
    select max(${sessions.createdAt}) as at from ${sessions} where ${sessions.userId} = ${users.id}
  ) as signed_in`)

/**
 * @param rank the caller's
 * @param filter which declared attributes are shown
 */
const recordFor = (rank: number, filter: PeopleFilter): SQL<PersonSummary> =>
  jsonObject<PersonSummary>({
    id: users.id,
    username: users.username,
    name: users.nickname,
    mail: users.mail,
    mobile: users.mobile,
    jobNumber: users.jobNumber,
    status: personStatus,
    departments: sql`joined.list`,
    roles: sql`held.list`,
    source: users.source,
    sync: entrySync,
    lastSignInAt: instantText(sql`signed_in.at`),
    createdAt: instantText(users.createdAt),
    updatedAt: instantText(users.updatedAt),
    attributes: shownValues(users.attributes, filter),
    access: accessToUser(rank, sql`held.rank`),
  })

export const personStatus = sql`case ${users.status} when 1 then 'enabled' else 'disabled' end`

interface Row extends KeyedRow {
  record: PersonSummary
}

/** Reads people as a console lists them. */
export const peopleRecords = (db: Db) => ({
  /**
   * A page of the people that pass the filter.
   * @param rank the caller's, by which `access` is decided
   * @throws AppError (invalid) naming `cursor`
   */
  async page(filter: PeopleFilter, query: PeopleQuery, rank: number): Promise<PersonList> {
    const { sort = 'username', order = 'asc' } = query
    const descending = order === 'desc'
    const [key, id] = [sortKeys[sort], sql`${users.id}`]
    const keyset = keysetOf(query, { name: sort, filter: askedOf(filter), key, id, descending })
    const records = sql`select ${recordFor(rank, filter)} as record, ${keyset.key} as key, ${users.id} as id
      from page as ${users} ${joinAll}`
    const list = { table: users, keyset, records }
    const { rows, ...count } = await readCountedPage<Row>(db, list, await passing(db, filter))
    const { items, next, previous } = keyset.page(rows)
    return { ...count, next, previous, people: items.map(({ record }) => record) }
  },
})
