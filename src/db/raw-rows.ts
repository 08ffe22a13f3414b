import type { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { Tx } from './client.ts'

/** Below the query builder. */
type DriverSession = PostgresJsSession<Sql, Record<string, never>, Record<string, never>>

/**
 * The rows of a query without parameters, their values as the bytes that the server sent: the text of each in UTF-8. For
 * long values, which would otherwise be decoded only to be encoded again.
 */
export const rawRows = async (tx: Tx, text: string): Promise<readonly Buffer[][]> => {
  const { client } = tx._.session as DriverSession
  return client.unsafe(text).raw()
}
