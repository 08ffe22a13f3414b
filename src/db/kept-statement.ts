import { is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { statementOf } from './json-record.ts'

/** Where the values of a statement go. */
export type Slots<Values> = { readonly [Name in keyof Values]: Placeholder }

interface Kept {
  text: string
  /** The names of the values in the order of the parameters, or constants among them. */
  parameters: readonly (Placeholder | { constant: unknown })[]
}

const slots = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })

/**
 * A whole statement whose text is written once, with the values of each call in their places: to write it again takes the
 * query builder longer than the driver takes to send it. It cannot be a part of another statement.
 * @param build makes it; what it depends on beside the values are the words and numbers of its shape
 */
export const keptStatement = <Values extends object, Shape extends readonly (string | number | boolean)[]>(
  build: (at: Slots<Values>, ...shape: Shape) => SQL,
) => {
  const all = new Map<string, Kept>()
  return (values: Values, ...shape: Shape): SQLWrapper => {
    const key = shape.join(' ')
    let kept = all.get(key)
    if (kept === undefined) {
      kept = keptOf(build(slots as Slots<Values>, ...shape))
      all.set(key, kept)
    }
    return filled(kept, values as Record<string, unknown>)
  }
}

const keptOf = (statement: SQL): Kept => {
  const { sql: text, params } = statementOf(statement).toSQL()
  return { text, parameters: params.map((one) => (is(one, Placeholder) ? one : { constant: one })) }
}

/** What the query builder asks of SQL that it executes. */
const filled = ({ text, parameters }: Kept, values: Record<string, unknown>): SQLWrapper => {
  const params = parameters.map((one) => ('constant' in one ? one.constant : values[one.name]))
  const statement = { toQuery: () => ({ sql: text, params }) }
  return { getSQL: () => statement as unknown as SQL }
}
