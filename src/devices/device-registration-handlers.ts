import { eq, lt, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import { closeAlert } from '../alerts/raise-alerts.ts'
import { refusingClashes } from '../db/clashes.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject } from '../db/json-record.ts'
import { idPage } from '../db/paging.ts'
import { devices } from '../db/schema.ts'
import type { components, DevicesHandlers } from '../generated/operations.ts'
import { deviceTokenHash, newDeviceToken } from './device-token.ts'
import { deviceClashes, reasons } from './reasons.ts'

export interface DeviceRegistrationOptions {
  db: Db
}

const record = jsonObject<components['schemas']['DeviceInFull']>({
  id: devices.id,
  name: devices.name,
  type: devices.type,
  location: devices.location,
  status: devices.status,
  battery: devices.battery,
  lastHeartbeatAt: instantText(devices.lastHeartbeatAt),
  updatedAt: instantText(devices.updatedAt),
  createdAt: instantText(devices.createdAt),
  creator: devices.creator,
})

/** What administrators register, change and remove; a device reports by heartbeat (heartbeat-handlers.ts). */
export const deviceRegistrationHandlers = ({
  db,
}: DeviceRegistrationOptions): Omit<DevicesHandlers, 'sendHeartbeat'> => ({
  async listDevicesInFull({ query: { cursor, limit } }) {
    const { records, next } = await idPage({ ...(cursor !== undefined && { cursor }), limit }, (before, count) =>
      db
        .select({ id: devices.id, device: record })
        .from(devices)
        .where(lt(devices.id, before))
        .orderBy(sql`${devices.id} desc`)
        .limit(count),
    )
    return { total: await db.$count(devices), next, devices: records.map(({ device }) => device) }
  },

  async registerDevice({ body: { name, type, location = '' }, user }) {
    const token = newDeviceToken()
    const row = {
      ...{ name, type, location, status: 'offline' as const },
      ...{ tokenHash: deviceTokenHash(token), creator: user.username },
    }
    const [device] = await changeFor(db, user, (tx) =>
      refusingClashes(tx.insert(devices).values(row).returning({ id: devices.id }), deviceClashes),
    )
    if (device === undefined) throw new Error('A device was not kept')
    return { id: device.id, token }
  },

  async updateDevice({ params: { id }, body: { name, location }, user }) {
    const changes = { ...(name !== undefined && { name }), ...(location !== undefined && { location }) }
    const found =
      Object.keys(changes).length === 0
        ? await db.select({ id: devices.id }).from(devices).where(eq(devices.id, id))
        : await changeFor(db, user, (tx) =>
            refusingClashes(
              tx.update(devices).set(changes).where(eq(devices.id, id)).returning({ id: devices.id }),
              deviceClashes,
            ),
          )
    if (found.length === 0) throw reasons.device_not_found.at('id', { id })
    return null
  },

  async removeDevice({ params: { id }, user }) {
    await changeFor(db, user, async (tx) => {
      const removed = await tx.delete(devices).where(eq(devices.id, id)).returning({ id: devices.id })
      if (removed.length === 0) throw reasons.device_not_found.at('id', { id })
      await closeAlert(tx, 'batteryLow', { id })
      await closeAlert(tx, 'deviceOffline', { id })
    })
    return null
  },
})
