import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, Tx } from '../db/client.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { steadyTime } from '../runtime/clock.ts'
import { quotedList, readTables } from './catalogue.ts'
import { reasons } from './reasons.ts'
import { extentOf } from './restored-tables.ts'
import { referringTables } from './without-constraints.ts'

/** Tables that a restore writes and others may read meanwhile; those of them that refer to users are taken whole. */
const written = ['directories', 'directory_entries', 'facts', 'mail_codes', 'sessions', 'step_up_codes']

/** Milliseconds after which a restore that never finds the tables free is given up. */
const patience = 300_000
/** Milliseconds between two tries, at most. */
const pause = 250

/** The tables were not free within the time that a try has. */
class TablesBusyError extends Error {}

/**
 * Takes every table that a restore replaces or writes, for this transaction. Call it first in the transaction: while it
 * waits, nothing else may be held.
 *
 * No order of tables is the one of all changes, and a query of two tables takes them one after the other. So this waits
 * for less than the time after which the server looks for transactions that wait for each other: it lets go of all it
 * has taken before another one is given up for it. See `whenTablesAreFree`.
 */
export const takeTables = async (tx: Tx, kind: Database['kind']): Promise<void> => {
  // It has one session, so there are no other locks.
  if (kind === 'embedded') return
  const replaced = (await readTables(tx)).map(({ name }) => name).filter((name) => extentOf(name) === 'all')
  const whole = [...replaced, ...(await referringTables(tx, replaced))]
  const [before] = await tx.execute<{ timeout: string; tries: number }>(sql`
    select current_setting('statement_timeout') as timeout,
      (select greatest(setting::int / 4, 1) from pg_settings where name = 'deadlock_timeout') as tries`)
  const limit = (timeout: string) => tx.execute(sql`select set_config('statement_timeout', ${timeout}, true)`)
  await limit(`${before?.tries ?? 250}ms`)
  try {
    await tx.execute(sql.raw(`lock table ${quotedList(written)} in exclusive mode`))
    await tx.execute(sql.raw(`lock table ${quotedList(whole)} in access exclusive mode`))
  } catch (error) {
    // query_canceled
    if (sqlStateOf(error) === '57014') throw new TablesBusyError('The tables were not free in time', { cause: error })
    throw error
  }
  await limit(before?.timeout ?? '0')
}

/**
 * Makes a transaction that begins with `takeTables` again until the tables are free.
 * @throws AppError (unavailable) when they are not within 5 minutes
 */
export const whenTablesAreFree = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (const until = steadyTime() + patience; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof TablesBusyError)) throw error
      if (steadyTime() >= until) throw reasons.tables_busy({ cause: error })
    }
    await sleep(pause * (0.2 + 0.8 * Math.random()))
  }
}
