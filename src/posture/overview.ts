import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import type { Reading } from '../db/replica.ts'
import { alerts, backups, runs, securityChecks, sessions, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { waitsSince } from '../mirror/record-sql.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { slots } from '../sources/slot.ts'
import type { Settings } from './evidence/facts.ts'
import { lately } from './lately.ts'

type Schemas = components['schemas']
type Overview = Schemas['Overview']

/** Milliseconds for which the figures are kept. */
const keptFor = 3000
const signInsShown = 10

const signIns = sql`
  select coalesce(json_agg(${jsonObject<Schemas['SignIn']>({
    userId: users.id,
    username: users.username,
    at: instantText(sessions.createdAt),
    ip: sessions.address,
  })} order by ${sessions.createdAt} desc), '[]')
  from (select * from ${sessions} order by created_at desc limit ${signInsShown}) as ${sessions}
  join ${users} on ${users.id} = ${sessions.userId}`

const lastBackup = sql`
  select ${jsonObject<Schemas['LastBackup']>({
    id: backups.id,
    status: backups.status,
    startedAt: instantText(backups.startedAt),
    finishedAt: instantText(backups.finishedAt),
    size: backups.size,
    encrypted: backups.encrypted,
  })} from ${backups} order by ${backups.id} desc limit 1`

const score = sql`
  select ${jsonObject<Schemas['MeasuredScore']>({
    score: securityChecks.score,
    at: instantText(securityChecks.checkedAt),
  })} from ${securityChecks} order by ${securityChecks.checkedAt} desc limit 1`

const pairs = JSON.stringify(slots.flatMap((source) => ['groups', 'users'].map((kind) => ({ source, kind }))))

const lastRuns = sql`
  select coalesce(json_agg(last.run order by pair.source, pair.kind), '[]')
  from jsonb_to_recordset(${pairs}::jsonb) as pair (source text, kind text)
  cross join lateral (
    select ${jsonObject<Schemas['LastRun']>({
      source: runs.source,
      kind: runs.kind,
      runId: runs.id,
      state: runs.state,
      startedAt: instantText(runs.startedAt),
      finishedAt: instantText(runs.finishedAt),
      failed: runs.failed,
    })} as run
    from ${runs} where ${runs.source} = pair.source and ${runs.kind} = pair.kind and not ${runs.dryRun}
    order by ${runs.id} desc limit 1
  ) as last`

const counted = (level: string) => sql`count(*) filter (where ${alerts.level} = ${level}::text)`

/** Records that wait are found by their index, whatever the number of people. */
const directory = (kind: Settings['directory']) =>
  kind === 'none'
    ? sql`select json_build_object('kind', 'none', 'inStep', 0, 'waiting', 0, 'refused', 0, 'oldestWaitingAt', null)`
    : sql`
      select json_build_object(
        'kind', ${kind}::text,
        'inStep', greatest((select count(*) from users) + (select count(*) from groups)
          - count(*) filter (where not e.deleted), 0),
        'waiting', count(*) filter (where e.next_at is not null),
        'refused', count(*) filter (where e.next_at is null),
        'oldestWaitingAt', ${instantText(sql`min(${waitsSince})`)})
      from directory_entries e where e.directory = ${mainDirectory} and e.version <> e.synced_version`

const readOverview = async (db: Db, kind: Settings['directory']): Promise<Overview> => {
  const [row] = await db.execute<{ overview: Overview }>(sql`
    select (
        -- What is not there yet is absent; a null inside, such as the end of a backup in progress, stays.
        select coalesce(jsonb_object_agg(key, value), '{}')
        from jsonb_each(jsonb_build_object('lastBackup', (${lastBackup}), 'score', (${score})))
        where value <> 'null')
      || jsonb_build_object(
        'at', ${instantText(sql`now()`)},
        'people', (select json_build_object('enabled', count(*) filter (where status = 1),
          'disabled', count(*) filter (where status <> 1)) from users),
        'departments', (select count(*) from groups where source_dept_id <> ''),
        'groups', (select count(*) from groups where source_dept_id = ''),
        'alerts', (select json_build_object('info', ${counted('info')}, 'warning', ${counted('warning')},
          'danger', ${counted('danger')}) from ${alerts} where ${alerts.handledAt} is null),
        'runs', json_build_object('held', (select count(*) from runs where state = 'held'),
          'running', (select count(*) from (select state from runs order by id desc limit 500) as newest
            where state = 'running')),
        'directory', (${directory(kind)}),
        'sources', (${lastRuns}),
        'lately', (${lately}),
        'signIns', (${signIns})) as overview`)
  if (row === undefined) throw new Error('The overview answered no row')
  return row.overview
}

/** The figures of the first page: one query, at most once in three seconds. */
export const openOverview = (reading: Reading, kind: Settings['directory']): (() => Promise<Overview>) => {
  let kept: Promise<Overview> | null = null
  return () => {
    kept ??= reading((at) => readOverview(at, kind)).finally(() => {
      setTimeout(() => {
        kept = null
      }, keptFor).unref()
    })
    return kept
  }
}
