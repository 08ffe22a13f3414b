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

/** The line feed is in no field that is searched. */
const lineFeed = sql.raw(`E'\\n'`)
const linesOf = (text: SQL): SQL => sql`string_to_array(${text}, ${lineFeed})`
const joined = (parts: readonly SQL[]): SQL => sql.join([...parts], sql` || ${lineFeed} || `)

/** All pairs of characters of a text that follow each other, in lower case: those at odd places, and those at even ones. */
export const pairsOf = (column: AnyPgColumn): SQL => {
  const each = (text: SQL): SQL => sql`regexp_replace(${text}, '(..)', ${sql.raw(`E'\\\\1\\n'`)}, 'g')`
  return linesOf(joined([each(sql`lower(${column})`), each(sql`substr(lower(${column}), 2)`)]))
}

/** The first two characters of each word of some texts, in lower case. A text that is one word needs no slow expression. */
export const beginningsOf = (columns: readonly AnyPgColumn[]): SQL => {
  const texts = columns.map((column) => sql`${column}`)
  const words = sql`regexp_replace(lower(${joined(texts)}), ${sql.raw(`E'[\\n ]*([^\\n ]{1,2})[^\\n ]*'`)},
    ${sql.raw(`E'\\\\1\\n'`)}, 'g')`
  const further = sql`case when strpos(${sql.join(texts, sql` || `)}, ' ') = 0 then '' else ${words} end`
  return linesOf(joined([...columns.map((column) => sql`left(lower(${column}), 2)`), further]))
}

/** An index of pairs of characters: serves a search for two of them, which trigrams cannot. */
export const pairs = (name: string, column: PgColumn, others: readonly PgColumn[]) =>
  index(name).using('gin', sql`(${pairsOf(column)})`, sql`(${beginningsOf(others)})`)

/** A trigram index of all values of declared attributes: few records may have any. */
export const attributeTexts = (name: string, column: PgColumn) =>
  index(name).using('gin', sql`(${column}::text) gin_trgm_ops`).where(sql`${column} <> '{}'::jsonb`)
