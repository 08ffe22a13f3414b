import { eq, sql } from 'drizzle-orm'
import { changeFor } from '../access/committed.ts'
import type { Db } from '../db/client.ts'
import { devices } from '../db/schema.ts'
import type { DevicesHandlers } from '../generated/security.ts'
import { deviceRecords } from './device-records.ts'
import { reasons } from './reasons.ts'

export interface DeviceStatusOptions {
  db: Db
  timeZone: string
}

/** Devices under observation: they report their state by heartbeat. */
export const deviceStatusHandlers = ({ db, timeZone }: DeviceStatusOptions): DevicesHandlers => {
  const records = deviceRecords(timeZone)
  return {
    listDevices: async () => ({ devices: records.all(db) }),

    /** A person sets the state: this raises no alert, and a device's silence is counted from now. */
    async setDeviceStatus({ params: { id }, body: { status }, user }) {
      const device = await changeFor(db, user, async (tx) => {
        await tx.update(devices).set({ status, updatedAt: sql`now()` }).where(eq(devices.id, id))
        return records.find(tx, id)
      })
      if (device === null) throw reasons.device_not_found.at('id', { id })
      return device
    },
  }
}
