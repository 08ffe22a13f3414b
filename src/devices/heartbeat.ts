import { sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db, Tx } from '../db/client.ts'
import { statements } from './statements.ts'

/** Per cent. Between the two nothing changes, so that a battery near the limit raises one alert and not a hundred. */
const lowFrom = 20
const clearFrom = 25

export interface Heartbeat {
  battery?: number
  status?: 'online' | 'offline'
}

export interface HeardDevice {
  id: number
  status: 'online' | 'offline'
}

/**
 * Records what a device reports about itself.
 * @param tokenHash of its token
 * @returns null: no device has this token
 */
export const takeHeartbeat = (
  { db, outbox }: { db: Db; outbox: Outbox },
  tokenHash: string,
  { battery, status = 'online' }: Heartbeat,
): Promise<HeardDevice | null> =>
  db.transaction(async (tx) => {
    const before = await hold(tx, tokenHash)
    if (before === null) return null
    const { id } = before
    const now = battery ?? before.battery
    const low = now !== null && (now <= lowFrom || (before.batteryLow && now < clearFrom))
    await tx.execute(sql`
      update devices set status = ${status}, battery = ${now}, battery_low = ${low},
        last_heartbeat_at = now(), updated_at = now()
      where id = ${id}`)
    if (before.batteryLow && !low) await closeAlert(tx, 'batteryLow', { id })
    await raiseAlerts(tx, outbox, [
      ...(low && !before.batteryLow ? [alertOf('batteryLow', { ...before, battery: now })] : []),
      ...(status === 'offline' && before.status === 'online'
        ? [alertOf('deviceOffline', { ...before, why: statements.signed_off() })]
        : []),
    ])
    return { id, status }
  })

interface Held {
  id: number
  name: string
  location: string
  status: 'online' | 'offline'
  battery: number | null
  batteryLow: boolean
}

const hold = async (tx: Tx, tokenHash: string): Promise<Held | null> => {
  const [row] = await tx.execute<Held & Record<string, unknown>>(sql`
    select id, name, location, status, battery, battery_low as "batteryLow" from devices
    where token_hash = ${tokenHash} for update`)
  return row ? { ...row, id: Number(row.id) } : null
}
