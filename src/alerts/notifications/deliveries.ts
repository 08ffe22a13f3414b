import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import type { Channel } from './outbox.ts'

/** Notifications of one channel that an instance takes at a time. */
const batch = 10
/**
 * Seconds after which a notification that was taken is due again: longer than all attempts by mail and webhook. This is
 * not a lease (see db/lease.ts): it is never renewed, and the number of the attempt, not an owner, decides whose result
 * counts.
 */
const dueAgainAfter = 300
/** Seconds before the first retry; doubled with each up to an hour. */
const firstDelay = 5
const longestDelay = 3_600
/** Seconds after which a notification that could not be delivered is given up. */
const givenUpAfter = 86_400

/** A notification that this instance sends. */
export interface Delivery {
  id: number
  channel: Channel
  content: Record<string, unknown>
  /** This attempt included. The result of an attempt is recorded only while it is the newest. */
  attempts: number
}

/** The notifications to be sent, in the database, shared by all instances. */
export const deliveries = (db: Db) => ({
  /** Takes due notifications of a channel that no other instance is sending: alerts before what is mailed to many people. */
  async claim(channel: Channel): Promise<Delivery[]> {
    const rows = await db.execute<Delivery & Record<string, unknown>>(sql`
      update notifications set attempts = attempts + 1, next_at = now() + make_interval(secs => ${dueAgainAfter})
      where id = any (array(
        select id from notifications where next_at <= now() and channel = ${channel}
        order by alert_id is null, next_at, id limit ${batch} for update skip locked))
      returning id, channel, content, attempts`)
    return rows.map((row) => ({ ...row, id: Number(row.id) }))
  },

  async delivered({ id, attempts }: Delivery): Promise<void> {
    await db.execute(sql`
      update notifications set delivered_at = now(), next_at = null, error = ''
      where id = ${id} and attempts = ${attempts}`)
  },

  /** Schedules a retry, the last one a day after the notification was written; then it is given up. */
  async failed({ id, attempts }: Delivery, reason: string): Promise<{ givenUp: boolean }> {
    const delay = Math.min(firstDelay * 2 ** Math.min(attempts - 1, 20), longestDelay)
    const end = sql`created_at + make_interval(secs => ${givenUpAfter})`
    const [row] = await db.execute<{ givenUp: boolean }>(sql`
      update notifications set error = ${reason}, next_at = case when now() < ${end}
        then least(now() + make_interval(secs => ${delay}), ${end}) end
      where id = ${id} and attempts = ${attempts}
      returning next_at is null as "givenUp"`)
    return row ?? { givenUp: false }
  },

  /** Releases it unchanged: the instance stops and has not sent it. */
  async released({ id, attempts }: Delivery): Promise<void> {
    await db.execute(sql`
      update notifications set attempts = attempts - 1, next_at = now()
      where id = ${id} and attempts = ${attempts}`)
  },
})
