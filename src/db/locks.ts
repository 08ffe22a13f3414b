import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from './client.ts'
import { markTransaction } from './in-order.ts'

/** All advisory locks of the service: each has a number, the same on every instance. */
export const locks = {
  administrators: 7_265_201_911,
  menuTree: 7_265_201_912,
  migrations: 7_302_114_905,
  operationLog: 7_302_114_906,
  directoryPlaces: 7_302_114_907,
  firstStart: 7_302_114_908,
  posixNumbers: 7_302_114_909,
  flatGroupNames: 7_302_114_910,
  serviceAccounts: 7_302_114_911,
  directoryClaims: 7_302_114_912,
  migrating: 7_302_114_913,
} as const

/**
 * Takes a lock until the transaction ends: other transactions that take it wait, on any instance.
 * @param rows a query that locks rows, which are locked before that. Default: none
 */
export const takeLock = async (tx: Queryable, name: keyof typeof locks, rows: SQL | null = null): Promise<void> => {
  const first = rows === null ? sql`` : sql`(select count(*) from (${rows}) r), `
  await tx.execute(sql`select ${first}pg_advisory_xact_lock(${locks[name]}::bigint), ${markTransaction}`)
}

/** Whether the transaction gets the lock at once. */
export const tryLock = (name: keyof typeof locks): SQL => sql`pg_try_advisory_xact_lock(${locks[name]}::bigint)`
