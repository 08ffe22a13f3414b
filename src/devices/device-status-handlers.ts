import { eq, sql } from 'drizzle-orm'
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
    async setDeviceStatus({ params: { id }, body: { status } }) {
      await db.update(devices).set({ status, updatedAt: sql`now()` }).where(eq(devices.id, id))
      const device = await records.find(db, id)
      if (device === null) throw reasons.device_not_found.at('id', { id })
      return device
    },
  }
}
