import { sql } from 'drizzle-orm'
import { largestPlace } from '../audit/chain.ts'
import type { Db } from '../db/client.ts'
import { alerts, backups, logReceivers, operationLogs, runs, securityChecks } from '../db/schema.ts'
import { waitsSince } from '../mirror/record-sql.ts'

/** What the database tells of the service, for all instances together. Times are seconds since 1970. */
export interface Figures {
  /** Records that are not in a directory yet, by the number of the directory. */
  directories: {
    directory: number
    /** They are tried by themselves. */
    waiting: number
    /** They are parked until something changes. */
    refused: number
    /** Seconds that the oldest of both has waited. */
    oldest: number
  }[]
  /** The last run of each kind that was no dry run and ended as it should. */
  runs: { source: string; kind: string; finishedAt: number }[]
  runsRunning: number
  runsHeld: number
  /** The last backup that succeeded; null: no backup has succeeded yet. */
  backupAt: number | null
  /** Those that are not handled. */
  alerts: { level: 'info' | 'warning' | 'danger'; count: number }[]
  /** Mails and webhook calls that wait to be delivered. */
  notifications: number
  /** Of the last security check; null: there was none. */
  score: number | null
  /** What the syslog receiver has not taken yet; null: there is no receiver, or it was not looked for yet. */
  logStream: {
    waiting: number
    /** Seconds since the oldest entry was made. */
    oldest: number
  } | null
}

const seconds = (instant: unknown) => sql`extract(epoch from ${instant})::float8`

/** One statement, whose parts are counted by indexes of what is open: it takes as long with a million people. */
const statementFor = (receiver: string | null) => sql`select jsonb_build_object(
  'directories', (
    select coalesce(jsonb_agg(each order by each.directory), '[]') from (
      select d.number as directory,
        count(e.record_id) filter (where e.next_at is not null) as waiting,
        count(e.record_id) filter (where e.next_at is null) as refused,
        coalesce(greatest(${seconds(sql`now() - min(${waitsSince})`)}, 0), 0) as oldest
      from directories d
      left join directory_entries e on e.directory = d.number and e.version <> e.synced_version
      group by d.number) each),
  'runs', (
    select coalesce(jsonb_agg(each order by each.source, each.kind), '[]') from (
      select ${runs.source} as source, ${runs.kind} as kind, ${seconds(sql`max(${runs.finishedAt})`)} as "finishedAt"
      from ${runs} where ${runs.state} = 'done' and not ${runs.dryRun} group by ${runs.source}, ${runs.kind}) each),
  'runsRunning', (select count(*) from ${runs} where ${runs.state} = 'running' and ${runs.leaseUntil} > now()),
  'runsHeld', (select count(*) from ${runs} where ${runs.state} = 'held'),
  'backupAt', (select ${seconds(sql`max(${backups.finishedAt})`)} from ${backups} where ${backups.status} = 'success'),
  'alerts', (
    select jsonb_agg(jsonb_build_object('level', level.name, 'count', (
      select count(*) from ${alerts} where ${alerts.handledAt} is null and ${alerts.level} = level.name)))
    from (values ('info'), ('warning'), ('danger')) as level (name)),
  'notifications', (select count(*) from notifications where next_at is not null),
  'score', (select ${securityChecks.score} from ${securityChecks} order by ${securityChecks.checkedAt} desc limit 1),
  'logStream', (
    select jsonb_build_object(
      'waiting', case when waits.seq is null then 0 else newest.seq - greatest(r.seq, waits.seq - 1) end,
      'oldest', coalesce(greatest(${seconds(sql`now() - waits.start_time`)}, 0), 0))
    from ${logReceivers} r
    cross join (select coalesce(max(seq), 0) as seq from ${operationLogs} where seq <= ${largestPlace}) newest
    left join lateral (
      select l.seq, l.start_time from ${operationLogs} l where l.seq > r.seq and l.seq <= ${largestPlace}
      order by l.seq limit 1) waits on true
    where r.receiver = ${receiver})
) as figures`

/**
 * @param receiver of the operation log; null: there is no receiver
 * @throws the database's error
 */
export const readFigures = async (db: Db, receiver: string | null): Promise<Figures> => {
  const [row] = await db.execute<{ figures: Figures }>(statementFor(receiver))
  if (row === undefined) throw new Error('The query of the figures gave no row')
  return row.figures
}
