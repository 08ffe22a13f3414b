import type { Sql } from 'postgres'
import { isUnsupportedParameter } from './connection-failure.ts'
import { sqlStateOf } from './sql-state.ts'

/**
 * What PostgreSQL is told for every session. JIT compilation takes the server longer than any of our queries. The pages
 * that requests need are in memory: with the cost of a disk's, PostgreSQL would rather read some thousand rows than look
 * up ten of them.
 */
export const serverSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }

/**
 * What keeps the server from ending sessions and statements by limits that were set for its other clients. Sessions of a
 * pool, and of LISTEN, do nothing for hours: the client with a closed connection is replaced, and what takes longer on its
 * other connections, a backup or an import, ends with it. These, a restore and a migration have statements of minutes.
 * Values are texts: the driver leaves out what is the number 0.
 */
const limits = [
  { statement_timeout: '0', lock_timeout: '0', idle_session_timeout: '0' },
  // PostgreSQL 13 refuses connections that name a limit it does not have.
  { statement_timeout: '0', lock_timeout: '0' },
] as const

/**
 * The limits to set for each session: as many as the server takes. PgBouncer in session mode takes none that it was not told
 * to pass over.
 * @param connect makes a client of one connection with these settings
 */
export const sessionLimits = async (
  connect: (settings: Record<string, string>) => Sql,
): Promise<Record<string, string>> => {
  for (const settings of limits) {
    const sql = connect(settings)
    try {
      await sql`select 1`
      return settings
    } catch (error) {
      if (!isRefusedSetting(error)) throw error
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  return {}
}

const isRefusedSetting = (error: unknown): boolean =>
  sqlStateOf(error) === undefinedObject || isUnsupportedParameter(error)

/** The SQLSTATE of an unknown setting. */
const undefinedObject = '42704'
