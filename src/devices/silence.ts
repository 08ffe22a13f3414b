import { sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db } from '../db/client.ts'
import { moreIsLeft } from '../jobs/ticker.ts'
import { statements } from './statements.ts'

export interface SilenceOptions {
  db: Db
  outbox: Outbox
  /** DEVICE_TIMEOUT, milliseconds. */
  timeout: number
}

/** Devices of one transaction, which holds their alerts in memory; the others follow in the next one. */
const atOnce = 1000

/**
 * Marks devices as offline that have been silent for a while, and raises their alerts in the same transaction: once,
 * whichever instance is first. A device that comes back does not close its alert: one that flaps has one alert until it
 * is handled. For a device that has never sent a heartbeat only a person sets the state.
 * @returns `moreIsLeft` after a full portion
 */
export const markSilentDevices = async ({ db, outbox, timeout }: SilenceOptions): Promise<unknown> => {
  const silent = sql`status = 'online' and last_heartbeat_at is not null
    and updated_at < now() - make_interval(secs => ${timeout / 1000})`
  const [any] = await db.execute(sql`select 1 from devices where ${silent} limit 1`)
  if (any === undefined) return undefined
  return db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string; name: string; location: string }>(sql`
      update devices set status = 'offline', updated_at = now()
      where id = any (array(select id from devices where ${silent} order by id limit ${atOnce} for update)) and ${silent}
      returning id, name, location`)
    const why = statements.silent({ seconds: timeout / 1000 })
    await raiseAlerts(
      tx,
      outbox,
      rows.map((row) => alertOf('deviceOffline', { ...row, id: Number(row.id), why })),
    )
    return rows.length === atOnce ? moreIsLeft : undefined
  })
}
