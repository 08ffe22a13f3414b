import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { jsonObject } from '../db/json-record.ts'
import { batchSize, newestFirst } from '../db/paging.ts'
import { alerts } from '../db/schema.ts'
import type { components } from '../generated/security.types.ts'
import { displayText } from '../text/display-text.ts'

export type SecurityAlert = components['schemas']['SecurityAlert']
export type HandledAlert = components['schemas']['HandledAlert']

/** Reads alerts in the shape of the contract. */
export const alertRecords = (db: Db, timeZone: string) => {
  const fields = {
    id: alerts.id,
    title: alerts.title,
    description: alerts.description,
    level: alerts.level,
    time: displayText(alerts.raisedAt, timeZone),
    handled: sql`${alerts.handledAt} is not null`,
    location: sql`nullif(${alerts.location}, '')`,
    deviceId: alerts.deviceId,
  }
  const present = <T>(object: SQL<T>): SQL<T> => sql`json_strip_nulls(${object})`
  const record = present(jsonObject<SecurityAlert>(fields))
  const handledRecord = present(
    jsonObject<HandledAlert>({
      ...fields,
      handledBy: alerts.handledBy,
      handledTime: displayText(alerts.handledAt, timeZone),
    }),
  )

  return {
    /** All, or those that are handled or not, newest first, in batches. */
    async *all(handled: boolean | undefined): AsyncGenerator<SecurityAlert[], void, undefined> {
      const wanted =
        handled === undefined ? undefined : handled ? isNotNull(alerts.handledAt) : isNull(alerts.handledAt)
      const batches = newestFirst((before) =>
        db
          .select({ id: alerts.id, alert: record })
          .from(alerts)
          .where(and(wanted, sql`${alerts.id} < ${before}`))
          .orderBy(sql`${alerts.id} desc`)
          .limit(batchSize),
      )
      for await (const batch of batches) yield batch.map(({ alert }) => alert)
    },

    /** One alert after it was handled; null: there is no alert with this id. */
    async handled(id: number): Promise<HandledAlert | null> {
      const [row] = await db.select({ alert: handledRecord }).from(alerts).where(eq(alerts.id, id))
      return row?.alert ?? null
    },
  }
}
