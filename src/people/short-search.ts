import { type Column, ilike, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { contains, escaped } from '../db/like.ts'
import { beginningsOf, pairsOf } from '../db/tables/columns.ts'

/**
 * A search for one or two characters. The trigram indexes cannot serve it, except at the beginning of a word; a name of
 * two Chinese characters is searched like that every day. The names of people and groups have an index of their
 * characters besides, and people one of pairs of characters.
 */
export const isShort = (text: string): boolean => [...text.trim()].length < 3

/** The column, which has an index of its characters, contains this text, ignoring case. */
export const containsShort = (column: Column, text: string): SQL =>
  sql`(${contains(column, text)} and string_to_array(lower(${column}), null) @> string_to_array(lower(${text}), null))`

/** A word of the column begins with this text, ignoring case. */
export const startsWord = (column: Column, text: string): SQL =>
  or(ilike(column, `${escaped(text)}%`), ilike(column, `% ${escaped(text)}%`)) ?? sql`false`

/** Two characters that `containsPair` and `beginsWithPair` find; İ, which becomes two in lower case, is not one. */
export const isPair = (text: string): boolean => /^\S{2}$/u.test(text) && [...text.toLowerCase()].length === 2

/** The column contains this pair, ignoring case: the index of pairs alone decides, and no text is compared. */
export const containsPair = (column: PgColumn, pair: string | Placeholder): SQL =>
  sql`${pairsOf(column)} @> array[lower(${pair})]`

/** A word of one of the columns, which the index of pairs covers, begins with this pair, ignoring case. */
export const beginsWithPair = (columns: readonly PgColumn[], pair: string): SQL =>
  sql`${beginningsOf(columns)} @> array[lower(${pair})]`

/** Whether any of the columns contains the text, ignoring case: one comparison, which most rows do not pass. */
export const anyContains = (columns: readonly Column[], text: string): SQL =>
  sql`lower(${sql.join([...columns], sql.raw(` || E'\\n' || `))}) like lower(${`%${escaped(text)}%`})`
