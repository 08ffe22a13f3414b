import { type Column, ilike, type SQL } from 'drizzle-orm'

/** The column contains the text, whatever the case; `%`, `_` and `\` stand for themselves. */
export const contains = (column: Column | SQL, text: string): SQL =>
  ilike(column, `%${text.replace(/[\\%_]/g, '\\$&')}%`)
