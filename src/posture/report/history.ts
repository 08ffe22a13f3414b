import { type SQL, sql } from 'drizzle-orm'
import { logPlaceBefore } from '../../audit/log-place.ts'
import type { Db, Queryable } from '../../db/client.ts'
import { isSignIn, refusalsAfter } from '../evidence/log-window.ts'

/** The history for a report. Days are those of TIME_ZONE, `YYYY-MM-DD`, the oldest first, without gaps. */
export interface History {
  alerts: { day: string; info: number; warning: number; danger: number }[]
  signIns: { day: string; signedIn: number; failed: number }[]
  /** The scores of the checks, the oldest first. */
  scores: { at: Date; score: number }[]
  /** Of the last 30 days, the oldest first, at most 200. */
  backups: { at: Date; type: 'auto' | 'manual'; status: string; size: number }[]
  /** By name, those with problems first, at most 100. */
  devices: {
    name: string
    type: string
    status: 'online' | 'offline'
    battery: number | null
    batteryLow: boolean
    heardAt: Date
  }[]
}

const day = 86_400_000
const daysShown = 14
const checksShown = 90
const backupDays = 30

/** Reads it as of one moment. */
export const gatherHistory = (db: Db, at: Date, timeZone: string): Promise<History> =>
  db.transaction(
    async (tx) => ({
      alerts: await alertsByDay(tx, at, timeZone),
      signIns: await signInsByDay(tx, at, timeZone),
      scores: await scores(tx),
      backups: await backupsSince(tx, new Date(at.getTime() - backupDays * day)),
      devices: await worstDevices(tx),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

/** The days shown, as rows of one column `day`, and the day of an instant. */
const days = (at: Date, timeZone: string): { rows: SQL; of: (column: SQL) => SQL; since: SQL } => {
  const today = sql`(${at.toISOString()}::timestamptz at time zone ${timeZone}::text)::date`
  const first = sql`${today} - ${daysShown - 1}::int`
  return {
    rows: sql`select generate_series(${first}, ${today}, interval '1 day')::date as day`,
    of: (column) => sql`(${column} at time zone ${timeZone}::text)::date`,
    since: sql`(${first})::timestamp at time zone ${timeZone}::text`,
  }
}

const alertsByDay = async (db: Queryable, at: Date, timeZone: string): Promise<History['alerts']> => {
  const { rows, of, since } = days(at, timeZone)
  const found = await db.execute<History['alerts'][number]>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day,
      count(*) filter (where level = 'info')::int as info,
      count(*) filter (where level = 'warning')::int as warning,
      count(*) filter (where level = 'danger')::int as danger
    from (${rows}) d
    left join (select ${of(sql`raised_at`)} as day, level from alerts where raised_at >= ${since}) a on a.day = d.day
    group by d.day order by d.day`)
  return [...found]
}

const signInsByDay = async (db: Queryable, at: Date, timeZone: string): Promise<History['signIns']> => {
  const { rows, of, since } = days(at, timeZone)
  // One more day than is shown: in every time zone the first day has begun by then.
  const place = await logPlaceBefore(db, new Date(at.getTime() - (daysShown + 1) * day))
  const found = await db.execute<History['signIns'][number]>(sql`
    with opened as (
      select ${of(sql`created_at`)} as day, count(*)::int as times from sessions where created_at >= ${since} group by 1
    ), failed as (
      select ${of(sql`start_time`)} as day, sum(times)::int as times from (${refusalsAfter(place, [401])}) r
      where ${isSignIn} group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(o.times, 0) as "signedIn", coalesce(f.times, 0) as "failed"
    from (${rows}) d left join opened o on o.day = d.day left join failed f on f.day = d.day
    order by d.day`)
  return [...found]
}

const epoch = (column: SQL): SQL => sql`extract(epoch from ${column})::float8 * 1000`
const instant = (milliseconds: number): Date => new Date(Math.round(milliseconds))

const scores = async (db: Queryable): Promise<History['scores']> => {
  const rows = await db.execute<{ at: number; score: number }>(sql`
    select ${epoch(sql`checked_at`)} as at, score from security_checks order by checked_at desc, id desc limit ${checksShown}`)
  return rows.map(({ at, score }) => ({ at: instant(at), score })).reverse()
}

const backupsSince = async (db: Queryable, since: Date): Promise<History['backups']> => {
  const rows = await db.execute<{ at: number; type: 'auto' | 'manual'; status: string; size: string }>(sql`
    select ${epoch(sql`started_at`)} as at, type, status, size from backups
    where started_at >= ${since.toISOString()}::timestamptz and status <> 'running' order by started_at desc limit 200`)
  return rows.map(({ at, size, ...row }) => ({ ...row, at: instant(at), size: Number(size) })).reverse()
}

const worstDevices = async (db: Queryable): Promise<History['devices']> => {
  const rows = await db.execute<Omit<History['devices'][number], 'heardAt'> & { heardAt: number }>(sql`
    select name, type, status, battery, battery_low as "batteryLow",
      ${epoch(sql`coalesce(last_heartbeat_at, updated_at)`)} as "heardAt"
    from devices order by (status = 'offline') desc, battery_low desc, name limit 100`)
  return rows.map((row) => ({ ...row, heardAt: instant(row.heardAt) }))
}
