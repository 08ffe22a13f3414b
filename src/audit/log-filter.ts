import { and, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { containing, contains } from '../db/like.ts'
import { operationLogs, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { usernameKey } from '../text/identity-keys.ts'
import { sealMethod, sealPaths } from './entry.ts'
import { touching } from './touched-records.ts'

/** What is asked of entries; an empty text filters nothing. */
export interface LogSearch {
  /** RFC 3339. */
  from?: string
  to?: string
  /** The whole username, or the id of a user. */
  user?: string
  /** A kind and an id: `user:12`. */
  record?: string
  path?: string
  method?: string
  /** Without what only reads or previews. */
  changes?: boolean
  result?: components['schemas']['LogResult']
  status?: number
  ip?: string
  q?: string
}

/** The codes of each result: of both kinds of envelopes, 0 and 200 are a success. */
const codesOf = {
  success: sql`${operationLogs.status} between 0 and 399`,
  refused: sql`${operationLogs.status} between 400 and 499`,
  failed: sql`${operationLogs.status} >= 500`,
} as const satisfies Record<components['schemas']['LogResult'], SQL>

/** The result of an entry, in SQL. */
export const resultOf = sql`case when ${operationLogs.status} >= 500 then 'failed'
  when ${operationLogs.status} >= 400 then 'refused' else 'success' end`

/** The instant of an RFC 3339 text, within the years that PostgreSQL and ISO 8601 write alike. */
export const instantOf = (text: string): Date => {
  // A leap second is allowed there and unknown to JavaScript.
  const time = Date.parse(text.replace(/:60(?=[.zZ+-])/, ':59'))
  return new Date(Math.min(Math.max(Number.isNaN(time) ? 0 : time, 0), Date.UTC(9999, 0)))
}

const startsWith = (column: SQL, text: string): SQL => sql`${column} ilike ${containing(text).slice(1)}`

/** The names under which the user may stand in the log: as written, and as they are named now. */
const namesOf = async (db: Db, user: string): Promise<string[]> => {
  const id = /^[1-9]\d{0,14}$/.test(user) ? Number(user) : null
  const rows = await db
    .select({ username: users.username })
    .from(users)
    .where(sql`${users.usernameKey} = ${usernameKey(user)} or ${users.id} = ${id}::bigint`)
  return [...new Set([user, ...rows.map(({ username }) => username)])]
}

/** The condition for an entry; undefined: every one. */
export const conditionOf = async (db: Db, search: LogSearch): Promise<SQL | undefined> => {
  const { from, to, user, record, path, method, changes, result, status, ip, q } = search
  const { username, ip: address, path: subject, method: verb, startTime, preview } = operationLogs
  return and(
    from ? sql`${startTime} >= ${instantOf(from).toISOString()}::timestamptz` : undefined,
    to ? sql`${startTime} < ${instantOf(to).toISOString()}::timestamptz` : undefined,
    user ? inArray(username, await namesOf(db, user)) : undefined,
    record ? touching(record) : undefined,
    path ? (path.startsWith('/') ? startsWith(sql`${subject}`, path) : contains(subject, path)) : undefined,
    method ? sql`${verb} = ${method}` : undefined,
    changes ? sql`${verb} <> 'GET' and not ${preview}` : undefined,
    result ? codesOf[result] : undefined,
    status === undefined ? undefined : sql`${operationLogs.status} = ${status}`,
    ip ? startsWith(sql`${address}`, ip) : undefined,
    q
      ? sql`(${contains(username, q)} or ${contains(address, q)} or ${contains(subject, q)} or ${contains(verb, q)})`
      : undefined,
  )
}

/** `target` as responses show it: an entry of doubt keeps there what it found at the end of the log, which are no ids. */
export const shownTarget = sql<number[]>`case
  when ${operationLogs.method} = ${sql.raw(`'${sealMethod}'`)} and ${operationLogs.path} = ${sql.raw(`'${sealPaths.doubt}'`)}
  then '[]'::jsonb else ${operationLogs.target} end`
