import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { alerts, runs, throttles, users } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'

export type NoticeList = components['schemas']['NoticeList']
type Notice = components['schemas']['Notice']

const maxShown = 50

const ofAlert = jsonObject<Notice>({
  key: sql`'alert:' || ${alerts.id}`,
  kind: sql`'alert'`,
  id: alerts.id,
  title: alerts.title,
  detail: alerts.description,
  stated: sql`null`,
  rule: sql`coalesce(${alerts.rule}, '')`,
  params: sql`coalesce(${alerts.params}, '{}'::jsonb)`,
  since: instantText(alerts.raisedAt),
  times: alerts.times,
})

const ofRun = jsonObject<Notice>({
  key: sql`'heldRun:' || ${runs.id}`,
  kind: sql`'heldRun'`,
  id: runs.id,
  title: sql`'Run ' || ${runs.id} || ' of ' || ${runs.source} || ' (' || ${runs.kind} || ') is held'`,
  detail: sql`coalesce(${runs.heldBecause} ->> 0, '')`,
  stated: sql`${runs.heldStatements} -> 0`,
  rule: sql`''`,
  params: sql`json_build_object('source', ${runs.source}, 'kind', ${runs.kind})`,
  since: instantText(runs.finishedAt),
  times: sql`1`,
})

/**
 * The locked accounts of users. Other names that are locked are left out: they may be passwords that were typed into the
 * wrong field, and the alert of such attempts counts them.
 */
const lockedAccounts = sql`
  select (select max(failed) from unnest(${throttles.failedAt}) as failed) as since, ${users.id} as id,
    ${users.username} as username, ${throttles.lockedUntil} as until
  from ${throttles} join ${users} on ${throttles.key} = 'account:' || ${users.usernameKey}
  where ${throttles.lockedUntil} > now()`

const ofLock = sql`json_build_object(
  'key', 'lockedAccount:' || lock.id, 'kind', 'lockedAccount', 'id', lock.id,
  'title', 'The account ' || lock.username || ' is locked',
  'rule', '', 'params', json_build_object('username', lock.username, 'until',
    ${instantText(sql`lock.until`)}),
  'stated', null, 'detail', 'until ' || to_char(lock.until at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC',
  'since', ${instantText(sql`lock.since`)}, 'times', 1)`

/** What is urgent now. */
export const readNotices = async (db: Db): Promise<NoticeList> => {
  const [row] = await db.execute<{ list: NoticeList }>(sql`
    with notice as (
      select 'alert' as kind, ${alerts.raisedAt} as since, ${ofAlert} as notice
      from ${alerts} where ${alerts.handledAt} is null and ${alerts.level} = 'danger'
      union all
      select 'heldRun', coalesce(${runs.finishedAt}, ${runs.startedAt}), ${ofRun} from ${runs} where ${runs.state} = 'held'
      union all
      select 'lockedAccount', lock.since, ${ofLock} from (${lockedAccounts}) as lock
    )
    select json_build_object(
      'at', ${instantText(sql`now()`)},
      'total', (select count(*) from notice),
      'counts', json_build_object(
        'alert', (select count(*) from notice where kind = 'alert'),
        'heldRun', (select count(*) from notice where kind = 'heldRun'),
        'lockedAccount', (select count(*) from notice where kind = 'lockedAccount')),
      'notices', (select coalesce(json_agg(notice order by since desc), '[]') from (
        select notice, since from notice order by since desc limit ${maxShown}) as newest)) as list`)
  if (row === undefined) throw new Error('The notices answered no row')
  return row.list
}
