import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import type { Outbox } from './notifications/outbox.ts'

/** Within which a danger is to be handled. */
export const handledWithin = { minutes: 60 }

/**
 * Tells once more of every danger that nobody has handled in time. Each is told once, whatever the number of instances,
 * and after a restart as soon as somebody looks: that it was told is written together with what is told.
 */
export const escalateOverdue = async ({ db, outbox }: { db: Db; outbox: Outbox }): Promise<void> => {
  const overdue = sql`handled_at is null and escalated_at is null and level = 'danger'
    and raised_at <= now() - make_interval(mins => ${handledWithin.minutes})`
  // Nothing is held and nothing is written while there is nothing to tell, which is nearly always.
  const [any] = await db.execute(sql`select 1 from alerts where ${overdue} limit 1`)
  if (any === undefined) return
  await db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string }>(sql`
      update alerts set escalated_at = now()
      where id = any (array(select id from alerts where ${overdue} order by id for update)) and ${overdue}
      returning id`)
    await outbox.announce(
      tx,
      rows.map(({ id }) => Number(id)),
      'escalated',
    )
  })
}
