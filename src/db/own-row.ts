import { type SQL, sql } from 'drizzle-orm'

/** Whether this transaction has written a row, and nothing else since: then it holds the row, as it reads it. */
export const isOwn = (row: SQL): SQL => sql`${row}.xmin = pg_current_xact_id_if_assigned()::xid`
