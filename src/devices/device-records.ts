import { eq, sql } from 'drizzle-orm'
import type { Queryable } from '../db/client.ts'
import { jsonObject } from '../db/json-record.ts'
import { batchSize, newestFirst } from '../db/paging.ts'
import { devices } from '../db/schema.ts'
import type { components } from '../generated/security.types.ts'
import { displayText } from '../text/display-text.ts'

export type SecurityDevice = components['schemas']['SecurityDevice']

/** Reads devices in the shape of the contract. */
export const deviceRecords = (timeZone: string) => {
  const object = jsonObject<SecurityDevice>({
    id: devices.id,
    name: devices.name,
    type: devices.type,
    status: devices.status,
    battery: devices.battery,
    lastUpdate: displayText(devices.updatedAt, timeZone),
  })
  const record = sql<SecurityDevice>`json_strip_nulls(${object})`

  return {
    /** All, newest first, in batches. */
    async *all(db: Queryable): AsyncGenerator<SecurityDevice[], void, undefined> {
      const batches = newestFirst((before) =>
        db
          .select({ id: devices.id, device: record })
          .from(devices)
          .where(sql`${devices.id} < ${before}`)
          .orderBy(sql`${devices.id} desc`)
          .limit(batchSize),
      )
      for await (const batch of batches) yield batch.map(({ device }) => device)
    },

    /** null: the device does not exist. */
    async find(db: Queryable, id: number): Promise<SecurityDevice | null> {
      const [row] = await db.select({ device: record }).from(devices).where(eq(devices.id, id))
      return row?.device ?? null
    },
  }
}
