import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../src/db/client.ts'
import { eventually } from './eventually.ts'

/**
 * Does something in a transaction that stays open until it is ended.
 * @throws what the work throws
 */
export const heldOpen = async <T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; end: () => Promise<void> }> => {
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let over: Promise<void> = Promise.resolve()
  const result = await new Promise<T>((resolve, reject) => {
    over = db.transaction(async (tx) => {
      resolve(await work(tx))
      await ended
    })
    over.catch(reject)
  })
  return {
    result,
    end: () => {
      end()
      return over
    },
  }
}

/** Resolves when so many transactions in this database wait for a lock. */
export const lockWaiters = (db: Db, count: number): Promise<unknown> =>
  eventually(async () => {
    const [row] = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return row?.count === count
  }, `${count} wait for a lock`)
