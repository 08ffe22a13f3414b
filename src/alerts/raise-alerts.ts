import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { idList } from '../db/id-list.ts'
import type { Alarm } from './alarm.ts'
import type { Channel, Outbox } from './notifications/outbox.ts'

/** An alarm, and how often its cause has come up since it was last written. */
export interface CountedAlarm extends Alarm {
  readonly times?: number
}

/** What raising one alarm came to. */
export interface Raised {
  alertId: number
  /** By which ways a notification is on its way because of it. */
  notified: Channel[]
}

/**
 * Writes alerts and, in the same transaction, the notifications of those that are a danger and that nobody has been
 * told of. An alarm whose cause has an open alert already updates that: its words are the newest, its level the worst.
 * @param alarms of different causes
 * @returns by cause
 */
export const raiseAlerts = async (
  tx: Tx,
  outbox: Outbox,
  alarms: readonly CountedAlarm[],
): Promise<Map<string, Raised>> => {
  if (alarms.length === 0) return new Map()
  // Rows are taken in the order of their causes everywhere, so that two transactions cannot deadlock.
  const rows = await tx.execute<{ id: string; cause: string; level: string }>(sql`
    insert into alerts as a (cause, title, description, level, location, device_id, times)
    select cause, title, description, level, coalesce(location, ''),
      (select id from devices where id = "deviceId" for key share), coalesce(times, 1)
    from jsonb_to_recordset(${JSON.stringify(alarms)}::jsonb)
      as r(cause text, title text, description text, level text, location text, "deviceId" bigint, times int)
    order by cause
    on conflict (cause) where handled_at is null do update
    set title = excluded.title, description = excluded.description, location = excluded.location,
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
 * Which of these alerts nobody has been told of. A statement of its own: the one that waited for another transaction to
 * write the same alert does not see what that has written beside it.
 */
const untold = async (tx: Tx, alertIds: readonly number[]): Promise<number[]> => {
  if (alertIds.length === 0) return []
  const rows = await tx.execute<{ id: string }>(sql`
    select s.id from (${idList(alertIds)}) s
    where not exists (select from notifications n where n.alert_id = s.id)`)
  return rows.map(({ id }) => Number(id))
}

/** Handles the open alerts of causes that are over, in the name of the system. */
export const clearAlerts = async (tx: Tx, causes: readonly string[]): Promise<void> => {
  if (causes.length === 0) return
  await tx.execute(sql`
    update alerts set handled_at = now(), handled_by = 'system'
    where handled_at is null
      and cause in (select jsonb_array_elements_text(${JSON.stringify(causes)}::jsonb))`)
}
