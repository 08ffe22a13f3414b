import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, Tx } from '../../db/client.ts'
import { sqlStateOf } from '../../db/sql-state.ts'
import { steadyTime } from '../../runtime/clock.ts'
import { reasons } from '../reasons.ts'
import { quotedList, readTables } from '../tables/catalogue.ts'
import { referringTables } from '../tables/without-constraints.ts'
import { extentOf } from './restored-tables.ts'

/** Tables that a restore writes and others may read meanwhile; those of them that refer to users get the strictest lock. */
const written = ['directories', 'directory_entries', 'facts', 'mail_codes', 'sessions', 'step_up_codes']

/** Milliseconds after which a restore that never gets the locks is given up. */
const timeout = 300_000
/** Milliseconds between two attempts, at most. */
const pause = 250

/** The tables could not be locked within the time that one attempt has. */
class TablesBusyError extends Error {}

/**
 * Locks every table that a restore replaces or writes, for this transaction. Call it first in the transaction, so that
 * no other lock is held while it waits.
 *
 * It cannot avoid deadlocks by its order: not all changes lock tables in the same order, and a query of two tables locks
 * them one after the other. So it waits for less than `deadlock_timeout`: it fails, and releases what it has locked,
 * before the server cancels another transaction because of it. See `retryWhileTablesAreBusy`.
 */
export const lockTables = async (tx: Tx, kind: Database['kind']): Promise<void> => {
  // The embedded database has one session, so there are no other locks.
  if (kind === 'embedded') return
  const replaced = (await readTables(tx)).map(({ name }) => name).filter((name) => extentOf(name) === 'all')
  const exclusive = [...replaced, ...(await referringTables(tx, replaced))]
  const [before] = await tx.execute<{ timeout: string; attempt: number }>(sql`
    select current_setting('statement_timeout') as timeout,
      (select greatest(setting::int / 4, 1) from pg_settings where name = 'deadlock_timeout') as attempt`)
  const setTimeoutTo = (timeout: string) => tx.execute(sql`select set_config('statement_timeout', ${timeout}, true)`)
  await setTimeoutTo(`${before?.attempt ?? 250}ms`)
  try {
    await tx.execute(sql.raw(`lock table ${quotedList(written)} in exclusive mode`))
    await tx.execute(sql.raw(`lock table ${quotedList(exclusive)} in access exclusive mode`))
  } catch (error) {
    // query_canceled
    if (sqlStateOf(error) === '57014')
      throw new TablesBusyError('The tables could not be locked in time', { cause: error })
    throw error
  }
  await setTimeoutTo(before?.timeout ?? '0')
}

/**
 * Retries a transaction that begins with `lockTables` until it gets the locks.
 * @throws AppError (unavailable) when it has not got them within 5 minutes
 */
export const retryWhileTablesAreBusy = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (const until = steadyTime() + timeout; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TablesBusyError)) throw error
      if (steadyTime() >= until) throw reasons.tables_busy({ cause: error })
    }
    await sleep(pause * (0.2 + 0.8 * Math.random()))
  }
}
