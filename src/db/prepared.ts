import { fillPlaceholders, type Query } from 'drizzle-orm'
import type { PendingQuery, Row } from 'postgres'
import type { Db } from './client.ts'
import { newestClient } from './guard.ts'

/** A query of the query builder, as far as it is needed here. */
interface Written {
  toSQL(): Query
}

/**
 * A query that is put together once and planned once per connection. It is asked of the driver itself: what the query
 * builder does about each time costs more than the rest of a short request. Even a function of ours between here and
 * the driver would: V8 then keeps what a query leaves behind until it searches all memory.
 * @param short whether it takes well below a millisecond (see `newestClient`); then texts and numbers go in and out alone
 * @returns asks it; rows are arrays of what is selected, in that order, not mapped
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
