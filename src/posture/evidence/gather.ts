import { and, count, desc, eq, gt, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { mayDoEverything } from '../../access/seniority.ts'
import type { LogKeys } from '../../audit/keys.ts'
import { logPlaceBefore } from '../../audit/log-place.ts'
import { verifyLog } from '../../audit/verify.ts'
import type { OperationLog } from '../../audit/writer.ts'
import { isOpen } from '../../auth/sessions.ts'
import type { Db, Queryable } from '../../db/client.ts'
import type { Reading } from '../../db/replica.ts'
import { alerts, backups, devices, directoryEntries, schedules, sessions } from '../../db/schema.ts'
import { isLate } from '../../mirror/comparison/late-withdrawals.ts'
import { isMain } from '../../mirror/record-sql.ts'
import { clockTolerance, currentTime } from '../../runtime/clock.ts'
import { slots } from '../../sources/slot.ts'
import type { Facts, PeopleFacts, RequestFacts, RunFacts, Settings, StoredFacts } from './facts.ts'
import { gatherLocks } from './locks.ts'
import { isSignIn, refusalsAfter } from './log-window.ts'

export interface GatherOptions {
  db: Db
  /** Of the records. The end of the operation log is checked where it is written. */
  reading: Reading
  keys: LogKeys
  operationLog: Pick<OperationLog, 'stuck'>
  settings: Settings
  /** DEVICE_TIMEOUT, milliseconds. */
  deviceTimeout: number
  now?: () => number
}

/** The driver needs an index signature, which interfaces do not have. */
type Row<T> = { [K in keyof T]: T[K] }

const hour = 3_600_000
const day = 24 * hour

/** Entries at the end of the operation log that are checked; npm run verify-log checks them all. */
const checkedEntries = 2000
/** Milliseconds without use after which an open session is idle. */
const idleAfter = 3 * day
const namesShown = 5

/** Gathers the facts: a few queries in one snapshot, then the end of the operation log. */
export const gatherFacts = async (options: GatherOptions): Promise<Facts> => {
  const { db, reading, keys, operationLog, settings, now = currentTime } = options
  const at = new Date(now())
  const stored = await reading((db) =>
    db.transaction((tx) => gatherStored(tx, at, options), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    }),
  )
  const chain = await verifyLog(db, keys, { newest: checkedEntries })
  const stuck = operationLog.stuck()
  return { at, ...stored, chain, stuckEntries: stuck?.waiting ?? 0, stuckFor: stuck?.lack ?? null, settings }
}

const gatherStored = async (
  db: Queryable,
  at: Date,
  { deviceTimeout, settings: { sessionMax } }: Pick<GatherOptions, 'deviceTimeout' | 'settings'>,
): Promise<StoredFacts> => ({
  requests: await gatherRequests(db, at),
  locks: await gatherLocks(db, at),
  directory: await gatherDirectory(db),
  runs: await gatherRuns(db),
  devices: await gatherDevices(db, before(at, deviceTimeout)),
  backups: await gatherBackups(db, at),
  alerts: await gatherAlerts(db, before(at, hour)),
  people: await gatherPeople(db, at, sessionMax),
})

const before = (at: Date, milliseconds: number): Date => new Date(at.getTime() - milliseconds)

const counting = (condition: SQL | undefined) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number)

const gatherRequests = async (db: Queryable, at: Date): Promise<RequestFacts> => {
  const since = before(at, day)
  const place = await logPlaceBefore(db, since)
  const [row] = await db.execute<Row<RequestFacts>>(sql`
    with refusal as materialized (${refusalsAfter(place, [401, 403, 429])})
    select
      coalesce(sum(times) filter (where status = 401 and ${isSignIn}), 0)::int as "signInFailures",
      count(distinct ip) filter (where status = 401 and ${isSignIn})::int as "signInAddresses",
      coalesce(sum(times) filter (where status = 403), 0)::int as "denied",
      count(distinct username) filter (where status = 403)::int as "deniedCallers",
      coalesce(sum(times) filter (where status = 429), 0)::int as "limited",
      (select json_build_object('username', username, 'times', sum(times)) from refusal
        where status = 403 and start_time >= ${since.toISOString()}::timestamptz
        group by username order by sum(times) desc, username limit 1) as "mostDenied"
    from refusal where start_time >= ${since.toISOString()}::timestamptz`)
  return row ?? { signInFailures: 0, signInAddresses: 0, denied: 0, deniedCallers: 0, limited: 0, mostDenied: null }
}

/** Records with such an entry in any directory; each counts once. */
const recordsWith = (condition: SQL | undefined) => {
  const { kind, recordId } = directoryEntries
  return sql<number>`count(distinct (${kind}, ${recordId})) filter (where ${condition})`.mapWith(Number)
}

const gatherDirectory = async (db: Queryable): Promise<StoredFacts['directory']> => {
  const { version, syncedVersion, nextAt, attempts } = directoryEntries
  const isPending = ne(version, syncedVersion)
  const [row] = await db
    .select({
      // The main directory gets all of them, a further one some: to tell them apart takes long, where there are many.
      records: counting(isMain),
      pending: recordsWith(isPending),
      parked: recordsWith(and(isPending, isNull(nextAt))),
      stuck: recordsWith(and(isPending, sql`(${nextAt} is null or ${attempts} >= 3)`)),
      late: recordsWith(isLate),
    })
    .from(directoryEntries)
  const [drift] = await db.select({ at: schedules.lastOkAt }).from(schedules).where(eq(schedules.name, 'drift'))
  return { ...(row ?? { records: 0, pending: 0, parked: 0, stuck: 0, late: 0 }), comparedAt: drift?.at ?? null }
}

const gatherRuns = async (db: Queryable): Promise<RunFacts[]> => {
  const rows = await db.execute<Omit<RunFacts, 'endedAt' | 'id'> & { id: string; endedAt: number }>(sql`
    with imports as (
      select id, source, kind, state, failed, extract(epoch from coalesce(finished_at, started_at))::float8 * 1000 as "endedAt"
      from runs
      where source in (${sql.join(
        slots.map((slot) => sql`${slot}`),
        sql`, `,
      )}) and state in ('done', 'failed', 'held', 'discarded') and not dry_run
    ), newest as (
      select distinct on (source, kind) * from imports order by source, kind, id desc
    )
    select * from newest union select * from imports where state = 'held' order by source, kind, id desc`)
  return rows.map((row) => ({ ...row, id: Number(row.id), endedAt: new Date(Math.round(row.endedAt)) }))
}

const gatherDevices = async (db: Queryable, silentSince: Date): Promise<StoredFacts['devices']> => {
  const { status, batteryLow, lastHeartbeatAt, updatedAt } = devices
  const heardOf = sql`coalesce(${lastHeartbeatAt}, ${updatedAt})`
  const [row] = await db
    .select({
      total: count(),
      offline: counting(eq(status, 'offline')),
      lowBattery: counting(eq(batteryLow, true)),
      silent: counting(sql`${status} = 'online' and ${heardOf} < ${silentSince.toISOString()}::timestamptz`),
    })
    .from(devices)
  return row ?? { total: 0, offline: 0, lowBattery: 0, silent: 0 }
}

const gatherBackups = async (db: Queryable, at: Date): Promise<StoredFacts['backups']> => {
  const { id, startedAt, encrypted, status, expiredAt } = backups
  const isProven = and(eq(status, 'success'), isNull(expiredAt))
  // A start in the future comes from a wrong clock, and would hide that there are no other backups.
  const until = new Date(at.getTime() + clockTolerance)
  const [newest] = await db
    .select({ id, at: startedAt, encrypted })
    .from(backups)
    .where(and(isProven, lte(startedAt, until)))
    .orderBy(desc(id))
    .limit(1)
  const after = newest === undefined ? undefined : gt(id, newest.id)
  const [row] = await db
    .select({
      proven: counting(isProven),
      failedSince: counting(and(eq(status, 'failed'), after)),
      future: sql<Date | null>`max(${startedAt}) filter (where ${and(isProven, gt(startedAt, until))})`.mapWith(
        startedAt,
      ),
    })
    .from(backups)
  return { newest: newest ?? null, ...(row ?? { proven: 0, failedSince: 0, future: null }) }
}

const gatherAlerts = async (db: Queryable, overdueSince: Date): Promise<StoredFacts['alerts']> => {
  const { handledAt, level, raisedAt } = alerts
  const isDanger = eq(level, 'danger')
  const [row] = await db
    .select({
      open: count(),
      openDanger: counting(isDanger),
      overdue: counting(sql`${isDanger} and ${raisedAt} < ${overdueSince.toISOString()}::timestamptz`),
    })
    .from(alerts)
    .where(isNull(handledAt))
  return row ?? { open: 0, openDanger: 0, overdue: 0 }
}

const gatherPeople = async (db: Queryable, at: Date, sessionMax: number): Promise<PeopleFacts> => {
  const { lastUsedAt, id } = sessions
  const [used] = await db
    .select({
      sessions: count(id),
      idleSessions: counting(sql`${lastUsedAt} < ${before(at, idleAfter).toISOString()}::timestamptz`),
    })
    .from(sessions)
    .where(isOpen(at, sessionMax))
  const [people] = await db.execute<{ administrators: number; withoutFactor: number; names: string[] | null }>(sql`
    with administrators as (
      select u.username, f.confirmed_at is null as lacks from users u
      left join second_factors f on f.user_id = u.id
      where u.status = 1 and ${mayDoEverything(sql`u.id`)}
    )
    select count(*)::int as administrators, count(*) filter (where lacks)::int as "withoutFactor",
      (select json_agg(username) from (
        select username from administrators where lacks order by username limit ${namesShown}) as first) as names
    from administrators`)
  const { administrators = 0, withoutFactor = 0, names } = people ?? {}
  return { administrators, withoutFactor, withoutFactorNames: names ?? [], sessions: 0, idleSessions: 0, ...used }
}
