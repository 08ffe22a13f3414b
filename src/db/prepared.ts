import { fillPlaceholders, type Query } from 'drizzle-orm'
import type { PendingQuery, Row } from 'postgres'
import type { Db } from './client.ts'
import { newestClient } from './hardened-client.ts'

/** The parts of a query of the query builder that are needed here. */
interface Written {
  toSQL(): Query
}

/**
 * A query that is built once and planned once per connection. It is sent by the driver directly: the query builder's
 * work for each call costs more than the rest of a short request. Even one more function between here and the driver
 * would: V8 then keeps the garbage of a query until the next full collection.
 * @param short whether it takes well below a millisecond (see `newestClient`); then parameters and results are only
 * texts and numbers
 * @returns a function that runs it; rows are arrays of the selected columns, in that order, not mapped
 */
export const prepared = <Columns extends unknown[]>({ $client }: Db, query: Written, { short = false } = {}) => {
  const { sql, params } = query.toSQL()
  const ask = (values: Record<string, unknown>): PendingQuery<Row[]> => {
    const { unsafe, watch } = newestClient($client, short)
    const asked = unsafe(sql, fillPlaceholders(params, values), { prepare: true })
    asked.values()
    return watch(asked, () => ask(values))
  }
  return async (values: Record<string, unknown>): Promise<Columns[]> => {
    const rows: unknown = await ask(values)
    return rows as Columns[]
  }
}
