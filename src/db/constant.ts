import { type SQL, sql } from 'drizzle-orm'

/**
 * A number or word of the source as it stands in SQL, not as a parameter: for what has few values, of which each deserves
 * a plan of its own. PostgreSQL plans a statement anew each time as long as it expects the values of its parameters to
 * make a difference, and planning can take longer than the work.
 * @param value a whole number, or a word of lower-case letters
 */
export const constant = (value: number | string): SQL => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return sql.raw(String(value))
  if (typeof value === 'string' && /^[a-z]+$/.test(value)) return sql.raw(`'${value}'`)
  throw new Error(`${value} cannot be a constant of a statement`)
}
