import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { moreIsLeft } from '../jobs/ticker.ts'
import type { Outbox } from './notifications/outbox.ts'

/** The time within which an alert of level danger must be handled. */
export const handledWithin = { minutes: 60 }

/** Alerts of one transaction, which holds their notifications in memory; the others follow in the next one. */
const atOnce = 1000

/**
 * Sends every alert of level danger once more that was not handled in time. Each is sent once, whatever the number of
 * instances, and after a restart at the first check: the record and the notification are written together.
 * @returns `moreIsLeft` after a full portion
 */
export const escalateOverdue = async ({ db, outbox }: { db: Db; outbox: Outbox }): Promise<unknown> => {
  const overdue = sql`handled_at is null and escalated_at is null and level = 'danger'
    and raised_at <= now() - make_interval(mins => ${handledWithin.minutes})`
  // Nothing is locked or written while there is nothing to send, which is nearly always.
  const [any] = await db.execute(sql`select 1 from alerts where ${overdue} limit 1`)
  if (any === undefined) return undefined
  return db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string }>(sql`
      update alerts set escalated_at = now()
      where id = any (array(select id from alerts where ${overdue} order by id limit ${atOnce} for update)) and ${overdue}
      returning id`)
    await outbox.announce(
      tx,
      rows.map(({ id }) => Number(id)),
      'escalated',
    )
    return rows.length === atOnce ? moreIsLeft : undefined
  })
}
