import { type Column, ilike, or, type SQL, sql } from 'drizzle-orm'
import { contains, escaped } from '../db/like.ts'

/**
 * A search for one or two characters. The trigram indexes cannot serve it, except at the beginning of a word; a name of
 * two Chinese characters is searched like that every day. The names of people and groups have an index of their
 * characters besides.
 */
export const isShort = (text: string): boolean => [...text.trim()].length < 3

/** The column, which has an index of its characters, contains this text, ignoring case. */
export const containsShort = (column: Column, text: string): SQL =>
  sql`(${contains(column, text)} and string_to_array(lower(${column}), null) @> string_to_array(lower(${text}), null))`

/** A word of the column begins with this text, ignoring case. */
export const startsWord = (column: Column, text: string): SQL =>
  or(ilike(column, `${escaped(text)}%`), ilike(column, `% ${escaped(text)}%`)) ?? sql`false`
