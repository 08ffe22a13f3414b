import type { Sql } from 'postgres'

/**
 * What PostgreSQL is told for every session. JIT compilation takes the server longer than any of our queries. The pages
 * that requests need are in memory: with the cost of a disk's, PostgreSQL would rather read some thousand rows than look
 * up ten of them.
 */
export const serverSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1' }

/**
 * What keeps the server from closing sessions that do nothing, as those of a pool, and of LISTEN, do for hours: the client with a
 * closed connection is replaced, and what takes longer on its other connections, a backup or an import, ends with it.
 * PostgreSQL 13 has no such limit, and refuses connections that name it.
 */
export const idleSettings = async (sql: Sql): Promise<Record<string, string>> => {
  const [known] = await sql`select from pg_settings where name = 'idle_session_timeout'`
  // A text: the driver leaves out what is the number 0.
  return known === undefined ? {} : { idle_session_timeout: '0' }
}
