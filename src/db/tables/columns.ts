import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, check, index, type PgColumn, text, timestamp } from 'drizzle-orm/pg-core'

/** The kinds of columns. */

export const id = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
export const ref = () => bigint({ mode: 'number' })
export const instant = () => timestamp({ precision: 3, withTimezone: true, mode: 'date' })
export const optional = () => text().notNull().default('')
export const audit = () => ({
  creator: optional(),
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant().notNull().defaultNow(),
})
export const oneOrTwo = (name: string, column: AnyPgColumn): ReturnType<typeof check> =>
  check(name, sql`${column} in (1, 2)`)
export const filled = (column: AnyPgColumn): SQL => sql`${column} <> ''`
/** A trigram index: serves `ilike '%…%'` on any subset of its columns. */
export const trigrams = (name: string, columns: readonly PgColumn[]) => {
  const [first, ...rest] = columns.map((column): SQL => sql`${column} gin_trgm_ops`)
  if (first === undefined) throw new Error(`The index ${name} has no columns`)
  return index(name).using('gin', first, ...rest)
}
/** An index of the characters of a text: serves a search for one or two of them, which trigrams cannot. */
export const characters = (name: string, column: PgColumn) =>
  index(name).using('gin', sql`string_to_array(lower(${column}), null)`)
/** A trigram index of all values of declared attributes: few records may have any. */
export const attributeTexts = (name: string, column: PgColumn) =>
  index(name).using('gin', sql`(${column}::text) gin_trgm_ops`).where(sql`${column} <> '{}'::jsonb`)
