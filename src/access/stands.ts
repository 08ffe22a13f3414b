import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether a session stands: it has not ended, or the transaction itself ends it. What has begun goes on after a sign-out,
 * but not after a restore, from which on the ids mean others.
 */
export const stands = (sessionId: SQL, goesOn: boolean): SQL => sql`exists (
  select from sessions standing where standing.id = ${sessionId} and (standing.ended_at is null
    ${goesOn ? sql`or standing.end_reason <> 'restore'` : sql``}
    or standing.xmin = pg_current_xact_id_if_assigned()::xid))`
