import { type Column, ilike, type Placeholder, type SQL } from 'drizzle-orm'

/** A text as part of a pattern; `%`, `_` and `\\` stand for themselves. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The pattern for "contains the text"; `%`, `_` and `\\` stand for themselves. */
export const containing = (text: string): string => `%${escaped(text)}%`

/** The column contains the text, ignoring case. A placeholder is given the pattern (`containing`) instead. */
export const contains = (column: Column | SQL, text: string | Placeholder): SQL =>
  ilike(column, typeof text === 'string' ? containing(text) : text)
