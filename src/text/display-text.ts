import { type Column, type SQL, sql } from 'drizzle-orm'

/** `displayTime` in SQL. */
export const displayText = (column: Column, timeZone: string): SQL<string> =>
  sql`to_char(${column} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
