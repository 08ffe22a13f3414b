import type { Sql } from 'postgres'
import { isUnsupportedParameter } from './connection-failure.ts'

/**
 * What PostgreSQL is told for every session. JIT compilation takes the server longer than any of our queries. The pages
 * that requests need are in memory: with the cost of a disk's, PostgreSQL would rather read some thousand rows than look
 * up ten of them.
 */
export const serverSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }

/**
 * What keeps the server from ending sessions, transactions and statements by limits that were set for its other clients. Sessions
 * of a pool, and of LISTEN, do nothing for hours: the client with a closed connection is replaced, and what takes longer on its
 * other connections, a backup or an import, ends with it. These, a restore and a migration have statements of minutes.
 */
const limits = ['statement_timeout', 'lock_timeout', 'idle_session_timeout', 'transaction_timeout']

/**
 * After a minute without a sign of life from this machine the server ends the session, and with it the locks that it holds: with
 * the two hours that are usual, the locks of a machine without power stop the instances that take its place. In seconds; the
 * last in milliseconds. While an answer is on its way, as where the power fails during a statement, TCP asks for no other sign: the
 * last alone keeps it from sending that for a quarter of an hour. Of what we read nothing waits for so long.
 */
const signsOfLife = {
  ...{ tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' },
  tcp_user_timeout: '60000',
}

/**
 * The limits to set for each session: those that the server has, for it refuses connections that name another (PostgreSQL 13 knows
 * the first two, and the last one came with 17). PgBouncer in session mode refuses those that it was not told to ignore, and looks for
 * signs of life by itself.
 * @param connect makes a client of one connection with these settings
 */
export const sessionLimits = async (
  connect: (settings: Record<string, string>) => Sql,
): Promise<Record<string, string>> => {
  const known = await once(connect({}), (sql) => sql<{ name: string }[]>`select name from pg_settings`)
  const none = noneOf(limits.filter((limit) => known.some(({ name }) => name === limit)))
  for (const settings of [{ ...none, ...signsOfLife }, none]) {
    try {
      await once(connect(settings), (sql) => sql`select 1`)
      return settings
    } catch (error) {
      if (!isUnsupportedParameter(error)) throw error
    }
  }
  return {}
}

/** Values are texts: the driver leaves out what is the number 0. */
const noneOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, '0']))

const once = async <T>(sql: Sql, ask: (sql: Sql) => Promise<T>): Promise<T> => {
  try {
    return await ask(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
