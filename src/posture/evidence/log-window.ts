import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'

/**
 * The place in the operation log before which all entries are older than `since`. Entries are written soon after their
 * request and their places have no gaps, so a binary search finds it without reading them all. Where entries were
 * removed the result may be an earlier place.
 */
export const logPlaceBefore = async (db: Queryable, since: Date): Promise<number> => {
  const [row] = await db.execute<{ seq: string | null }>(sql`
    with recursive search (low, high) as (
      select coalesce(min(seq), 1) - 1, coalesce(max(seq), 0) + 1 from operation_logs
      union all
      select case when start_time < ${since.toISOString()}::timestamptz then middle else low end,
             case when start_time < ${since.toISOString()}::timestamptz then high else middle end
      from (select low, high, (low + high) / 2 as middle from search where high - low > 1) as half
      join operation_logs on seq = middle
    )
    select max(low) as seq from search`)
  return Number(row?.seq ?? 0)
}

/** Entries after a place with one of these codes, in the list or hidden; by indexes alone. */
export const refusalsAfter = (seq: number, codes: readonly number[]) => {
  const wanted = sql`status in (${sql.join(
    codes.map((code) => sql`${code}`),
    sql`, `,
  )}) and seq > ${seq}`
  return sql`
    select start_time, username, ip, path, status, times from operation_logs where hidden_by is null and ${wanted}
    union all
    select start_time, username, ip, path, status, times from operation_logs where hidden_by is not null and ${wanted}`
}

/** Of what `refusalsAfter` selects: sign-ins over HTTP, and binds to the embedded directory. */
export const isSignIn = sql`path in ('/base/login', '/bind')`
