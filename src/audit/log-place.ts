import { sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'

/**
 * The place in the operation log before which all requests had ended at that instant. Entries are written when their
 * request ends and their places have no gaps, so a binary search finds it without reading them all. Several instances
 * write, each by its own clock: entries of a few seconds around the instant may be on either side. Where entries were
 * removed the result may be an earlier place.
 */
export const logPlaceBefore = async (db: Queryable, instant: Date): Promise<number> => {
  const isBefore = sql`start_time + make_interval(secs => time_cost / 1000.0) < ${instant.toISOString()}::timestamptz`
  const [row] = await db.execute<{ seq: string | null }>(sql`
    with recursive search (low, high) as (
      select coalesce(min(seq), 1) - 1, coalesce(max(seq), 0) + 1 from operation_logs
      union all
      select case when ${isBefore} then middle else low end, case when ${isBefore} then high else middle end
      from (select low, high, (low + high) / 2 as middle from search where high - low > 1) as half
      join operation_logs on seq = middle
    )
    select max(low) as seq from search`)
  return Number(row?.seq ?? 0)
}
