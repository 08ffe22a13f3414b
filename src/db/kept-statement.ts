import { is, Param, Placeholder, type Query, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { statementOf } from './json-record.ts'

/** Where the values of a statement go. */
export type Slots<Values> = { readonly [Name in keyof Values]: Placeholder }

const slots = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })

/**
 * A whole statement whose text is written once, with the values of each call in their places: to write it again takes the
 * query builder longer than the driver takes to send it. It cannot be a part of another statement.
 * @param build makes it; what it depends on beside the values are the words and numbers of its shape
 */
export const keptStatement = <Values extends object, Shape extends readonly (string | number | boolean)[]>(
  build: (at: Slots<Values>, ...shape: Shape) => SQL,
) => {
  const all = new Map<string, Query>()
  return (values: Values, ...shape: Shape): SQLWrapper => {
    const key = shape.join(' ')
    let kept = all.get(key)
    if (kept === undefined) {
      kept = statementOf(build(slots as Slots<Values>, ...shape)).toSQL()
      all.set(key, kept)
    }
    return filled(kept, values as Record<string, unknown>)
  }
}

const parameterOf = (param: unknown, values: Record<string, unknown>): unknown => {
  if (is(param, Placeholder)) return values[param.name]
  if (!is(param, Param) || !is(param.value, Placeholder)) return param
  const value = values[param.value.name]
  // Null is null in every column, also where it could be written as JSON.
  return value === null ? null : param.encoder.mapToDriverValue(value)
}

/** What the query builder asks of SQL that it executes. */
const filled = ({ sql: text, params }: Query, values: Record<string, unknown>): SQLWrapper => {
  const statement = { toQuery: () => ({ sql: text, params: params.map((one) => parameterOf(one, values)) }) }
  return { getSQL: () => statement as unknown as SQL }
}

/** So many shapes of one statement are kept: all that the source has, but not all that a request could make. */
const maxShapes = 200

/**
 * The same for a statement of the query builder, of which every shape has a text of its own. A value is encoded as the column
 * says that its place stands for.
 * @param build makes it, with `sql.placeholder` for each value
 */
export const keptQueries = () => {
  const all = new Map<string, Query>()
  return (shape: string, build: () => { toSQL(): Query }, values: Record<string, unknown>): SQLWrapper => {
    let kept = all.get(shape)
    if (kept === undefined) {
      kept = build().toSQL()
      if (all.size < maxShapes) all.set(shape, kept)
    }
    return filled(kept, values)
  }
}
