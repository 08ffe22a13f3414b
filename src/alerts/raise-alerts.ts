import { sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { idList } from '../db/id-list.ts'
import { type Alert, type CauseParameters, type ClosingRuleName, causeOf } from './alert.ts'
import type { Channel, Outbox } from './notifications/outbox.ts'

/** An alert, and how often its cause has occurred since it was last written. */
export type CountedAlert = Alert & { readonly times?: number }

/** The result of raising one alert. */
export interface Raised {
  alertId: number
  /** The ways by which a notification is sent because of it. */
  notified: Channel[]
}

/**
 * Writes alerts and, in the same transaction, the notifications of those of level danger that were not sent before. An
 * alert whose cause has an open one updates that: its texts are the newest, its level the worst. Of several with one
 * cause the last counts.
 * @returns by cause
 */
export const raiseAlerts = async (
  tx: Tx,
  outbox: Outbox,
  alerts: readonly CountedAlert[],
): Promise<Map<string, Raised>> => {
  if (alerts.length === 0) return new Map()
  const latest = [...new Map(alerts.map((alert) => [alert.cause, alert])).values()]
  // Rows are locked in the order of their causes everywhere, so that two transactions cannot deadlock.
  const rows = await tx.execute<{ id: string; cause: string; level: string }>(sql`
    insert into alerts as a (cause, rule, params, title, description, level, location, device_id, times)
    select cause, rule, params, title, description, level, coalesce(location, ''),
      (select id from devices where id = "deviceId" for key share), coalesce(times, 1)
    from jsonb_to_recordset(${JSON.stringify(latest)}::jsonb)
      as r(cause text, rule text, params jsonb, title text, description text, level text, location text, "deviceId" bigint, times int)
    order by cause
    on conflict (cause) where handled_at is null do update
    set rule = excluded.rule, params = excluded.params, title = excluded.title, description = excluded.description, location = excluded.location,
      device_id = excluded.device_id, times = a.times + excluded.times, last_at = now(),
      level = case when 'danger' in (a.level, excluded.level) then 'danger'
        when 'warning' in (a.level, excluded.level) then 'warning' else 'info' end
    returning a.id, a.cause, a.level`)
  const dangers = rows.filter(({ level }) => level === 'danger').map(({ id }) => Number(id))
  const notified = await outbox.announce(tx, await untold(tx, dangers), 'raised')
  return new Map(
    rows.map(({ id, cause }) => [cause, { alertId: Number(id), notified: notified.get(Number(id)) ?? [] }]),
  )
}

/**
 * Which of these alerts were not sent before. A statement of its own: one that waited for another transaction to write
 * the same alert does not see that transaction's other changes.
 */
const untold = async (tx: Tx, alertIds: readonly number[]): Promise<number[]> => {
  if (alertIds.length === 0) return []
  const rows = await tx.execute<{ id: string }>(sql`
    select s.id from (${idList(alertIds)}) s
    where not exists (select from notifications n where n.alert_id = s.id)`)
  return rows.map(({ id }) => Number(id))
}

/**
 * Closes the open alert of a rule, in the name of the system: what raised it is over.
 * @param silentFor seconds: it stays open where it was raised again within them; unless given, it is closed at once
 */
export const closeAlert = async <Name extends ClosingRuleName>(
  db: Queryable,
  name: Name,
  parameters: CauseParameters<Name>,
  { silentFor }: { silentFor?: number } = {},
): Promise<void> => {
  // An alert that a transaction of a later start raised is newer than `now()`: its age counts only where one is asked
  // for.
  const silent = silentFor === undefined ? sql`true` : sql`last_at <= now() - make_interval(secs => ${silentFor})`
  await db.execute(sql`
    update alerts set handled_at = now(), handled_by = 'system'
    where cause = ${causeOf(name, parameters)} and handled_at is null and ${silent}`)
}
