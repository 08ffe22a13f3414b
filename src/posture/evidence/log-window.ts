import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'

/**
 * The place in the operation log before which everything is older than `since`. Entries are written within moments of
 * their request and their places have no gaps, so a search by halves finds it without reading them; where somebody
 * removed entries it may answer an earlier place.
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

/** Entries behind a place that came to one of these codes, on the list or off it; by indexes alone. */
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
