import { and, eq, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../collections/pick.ts'
import { SuccessAsJson } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { asText, instantText, jsonObject, statementOf, written } from '../db/json-record.ts'
import { containing, contains } from '../db/like.ts'
import { filteredPage, numberedPage } from '../db/numbered-page.ts'
import { batchSize, type Page } from '../db/paging.ts'
import { prepared } from '../db/prepared.ts'
import { groupMembers, groups, roles, userRoles, users } from '../db/schema.ts'
import { type SearchedUserField, searchedUserFields, type UserField, userFieldNames } from '../db/tables/fields.ts'
import type { components, operations } from '../generated/directory.types.ts'
import { directoryFields, hasSyncState, joinDirectoryEntry, syncStated } from '../mirror/record-sql.ts'
import { containsPair, isPair } from './short-search.ts'
import type { Within } from './within.ts'

export type UserRecord = components['schemas']['User']

type Query = NonNullable<operations['listUsers']['parameters']['query']>

/** An empty text filters nothing; `departmentId`: members of this group. */
export type UserFilter = Omit<Query, 'pageNum' | 'pageSize'>

/** Roles and groups of a user, collected only for the records that are returned. */
const joinRolesAndGroups = sql`
  cross join lateral (
    select
      coalesce(json_agg(${roles.id} order by ${roles.id}), '[]'::json) as ids,
      coalesce(json_agg(${jsonObject({
        id: roles.id,
        name: roles.name,
        keyword: roles.keyword,
        sort: roles.sort,
        status: roles.status,
      })} order by ${roles.sort}, ${roles.id}), '[]'::json) as list
    from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${users.id}
  ) as held
  cross join lateral (
    select
      coalesce(json_agg(${groups.id} order by ${groups.id}), '[]'::json) as ids,
      coalesce(string_agg(distinct ${groups.groupName}, ', ' order by ${groups.groupName}), '') as names
    from ${groupMembers} join ${groups} on ${groups.id} = ${groupMembers.groupId}
    where ${groupMembers.userId} = ${users.id}
  ) as joined`

/** A user in the shape of the contract. No field contains the password in any form. */
const record = written(
  jsonObject<UserRecord>({
    id: users.id,
    ...pick(users, userFieldNames satisfies readonly Within<keyof UserRecord, UserField>[]),
    // A text that a caller set, or the present names of the groups.
    departments: sql`case when ${users.departments} <> '' then ${users.departments} else joined.names end`,
    departmentId: sql`joined.ids`,
    roleIds: sql`held.ids`,
    roles: sql`held.list`,
    status: users.status,
    source: users.source,
    sourceUserId: users.sourceUserId,
    sourceUnionId: users.sourceUnionId,
    userDn: directoryFields.dn,
    syncState: directoryFields.syncState,
    syncError: directoryFields.syncError,
    syncStated,
    creator: users.creator,
    createdAt: instantText(users.createdAt),
    updatedAt: instantText(users.updatedAt),
  }),
)

const joinAll = written(sql`${joinDirectoryEntry('user', users.id)} ${joinRolesAndGroups}`)

const newest = written(sql<UserRecord[]>`coalesce(json_agg(${record} order by ${users.id} desc), '[]'::json)`)

type Exact = Exclude<keyof UserFilter, Within<keyof UserFilter, SearchedUserField>>

/** The filters that are not compared as parts of a text. */
const exact: Readonly<Record<Exact, (value: Placeholder) => SQL>> = {
  status: (status) => eq(users.status, status),
  syncState: (syncState) => hasSyncState('user', users.id, syncState),
  departmentId: (groupId) => sql`exists (select from ${groupMembers}
    where ${groupMembers.userId} = ${users.id} and ${groupMembers.groupId} = ${groupId})`,
}

const isExact = (name: Condition): name is Exact => name in exact

/** `pair`: a nickname of two characters, which has an index. */
type Condition = keyof UserFilter | 'pair'
type Shape = readonly Condition[]

const filterNames: readonly (keyof UserFilter)[] = [...searchedUserFields, ...(Object.keys(exact) as Exact[])]

/** Which filters are set. Queries of one shape differ only in their values, and are built once. */
const shapeOf = (filter: UserFilter): readonly (keyof UserFilter)[] =>
  filterNames.filter((name) => filter[name] !== undefined && filter[name] !== '')

/** The same for a page, which is found among all that pass: in their order each would be compared with the pair. */
const pageShapeOf = (filter: UserFilter): Shape =>
  shapeOf(filter).map((name) => (name === 'nickname' && isPair(filter.nickname ?? '') ? 'pair' : name))

const boundTo = (filter: UserFilter, name: Condition): unknown => {
  if (name === 'pair') return filter.nickname
  return isExact(name) ? filter[name] : containing(filter[name] ?? '')
}

const valuesOf = (filter: UserFilter, shape: Shape): Record<string, unknown> =>
  Object.fromEntries(shape.map((name) => [name, boundTo(filter, name)]))

const condition = (name: Condition): SQL => {
  const value = sql.placeholder(name)
  if (name === 'pair') return containsPair(users.nickname, value)
  return isExact(name) ? exact[name](value) : contains(users[name], value)
}

const where = (shape: Shape, ...more: SQL[]): SQL => sql`where ${and(sql`true`, ...shape.map(condition), ...more)}`

const oncePerShape = <Query>(build: (shape: Shape) => Query): ((shape: Shape) => Query) => {
  const built = new Map<string, Query>()
  return (shape) => {
    const key = shape.join()
    const query = built.get(key) ?? build(shape)
    built.set(key, query)
    return query
  }
}

export interface UserPage {
  total: number
  users: UserRecord[]
}

/** Reads users in the shape of the contract. */
export const userRecords = (db: Db) => {
  const one = prepared<[json: string]>(
    db,
    db
      .select({ json: asText(record) })
      .from(sql`${users} ${joinAll}`)
      .where(eq(users.id, sql.placeholder('id'))),
    { short: true },
  )

  const pageOf = oncePerShape((shape) => {
    const wanted = where(shape)
    const window = { limit: sql.placeholder('limit'), offset: sql.placeholder('offset') }
    const page = jsonObject<UserPage>({ total: sql`(select total from counted)`, users: newest })
    const steps = shape.includes('pair') ? filteredPage : numberedPage
    const statement = sql`with ${steps(users, wanted, window)}
      select ${asText(page)} from page as ${users} ${joinAll}`
    return prepared<[json: string]>(db, statementOf(statement))
  })
  const batchOf = oncePerShape((shape) => {
    const wanted = where(shape, lt(users.id, sql.placeholder('before')))
    return db
      .select({ users: newest })
      .from(
        sql`(select * from ${users} ${wanted} order by ${users.id} desc limit ${sql.raw(String(batchSize))}) as ${users} ${joinAll}`,
      )
      .prepare('user_batch')
  })

  return {
    /** null: the user does not exist. */
    async find(id: number): Promise<SuccessAsJson<UserRecord> | null> {
      const [row] = await one({ id })
      return row ? new SuccessAsJson(row[0], id) : null
    },

    /** A page of those that pass the filter, newest first, and how many there are on all pages. */
    async page(filter: UserFilter, { limit, offset }: Page): Promise<SuccessAsJson<UserPage>> {
      const shape = pageShapeOf(filter)
      const [row] = await pageOf(shape)({ ...valuesOf(filter, shape), limit, offset })
      if (row === undefined) throw new Error('The page has no row')
      return new SuccessAsJson(row[0])
    },

    /** Those that pass the filter and have an id below `before`, newest first, at most a batch. */
    async batch(filter: UserFilter, before: number): Promise<UserRecord[]> {
      const shape = shapeOf(filter)
      const [row] = await batchOf(shape).execute({ ...valuesOf(filter, shape), before })
      return row?.users ?? []
    },
  }
}
