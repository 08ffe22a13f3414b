import { is, Param, Placeholder, type Query } from 'drizzle-orm'
import type { PendingQuery, Row } from 'postgres'
import type { Db } from './client.ts'
import { newestClient, newestShortClient } from './driver-client.ts'

/** The parts of a query of the query builder that are needed here. */
interface Written {
  toSQL(): Query
}

/** A value as it is sent; the driver turns numbers and booleans into texts. */
type Plain = string | number | boolean | null

/**
 * A query that is built once and planned once per connection. It is sent by the driver directly: the query builder's
 * work for each call costs more than the rest of a short request. Even one more function between here and the driver
 * would: V8 then keeps the garbage of a query until the next full collection.
 * @param short whether it takes well below a millisecond (see `newestShortClient`); then parameters and results are only
 * texts and numbers
 * @returns a function that runs it; rows are arrays of the selected columns, in that order, not mapped
 */
export const prepared = <Columns extends unknown[]>({ $client }: Db, query: Written, { short = false } = {}) => {
  const { sql, params } = query.toSQL()
  const parameters = params.map(slotOf)
  const clientOf = short ? newestShortClient : newestClient
  const ask = (values: Record<string, unknown>): PendingQuery<Row[]> => {
    const { unsafe, watch } = clientOf($client)
    const asked = unsafe(sql, [], planned) as PendingQuery<Row[]> & { parameters: Plain[] }
    asked.parameters = parameters.map((valueIn) => valueIn(values))
    asked.values()
    return watch(asked, () => ask(values))
  }
  return async (values: Record<string, unknown>): Promise<Columns[]> => {
    const rows: unknown = await ask(values)
    return rows as Columns[]
  }
}

/**
 * The driver finds a prepared statement by the types of its arguments and its text. It writes them into one text for each
 * query and hashes all of it, which takes longer than to send a short query. Without arguments it finds it by the text
 * alone, which is hashed once; the server knows the types, and plain values need none. Then it also has to be told that
 * this is not one of several statements without parameters.
 */
const planned = { prepare: true, simple: false }

/** Reads the value of a parameter from those of a call. */
const slotOf = (parameter: unknown): ((values: Record<string, unknown>) => Plain) => {
  if (is(parameter, Placeholder)) return ({ [parameter.name]: value }) => plain(value, parameter.name)
  if (is(parameter, Param) && is(parameter.value, Placeholder)) {
    const { encoder, value } = parameter
    return ({ [value.name]: given }) => plain(encoder.mapToDriverValue(given), value.name)
  }
  const constant = plain(parameter, 'a constant')
  return () => constant
}

const plain = (value: unknown, name: string): Plain => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new Error(`The value of ${name} is not a text, a number, a boolean or null`)
}
