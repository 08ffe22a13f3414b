import { type SQL, sql } from 'drizzle-orm'
import type { RunPermit } from '../access/permits/permit.ts'
import type { Authority } from '../access/permits/runs.ts'
import type { Author } from '../access/standing.ts'
import type { Db, Tx } from '../db/client.ts'
import { conflictOn } from '../db/constraint.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { uniqueFields } from '../db/tables/fields.ts'
import type { Statement } from '../failures/statement.ts'
import type { Slot } from '../sources/slot.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { countedIn, type DoneCounts } from './done-counts.ts'
import { lockRun } from './lease.ts'
import type { RunContext } from './runs.ts'
import { statements } from './statements.ts'

/**
 * Makes a change in one transaction, with retries after a deadlock. From its commit on no request uses the earlier
 * rights of these users.
 */
export type ChangePeople = <T extends { callers?: { userIds: readonly number[] } }>(
  author: Author,
  change: (tx: Tx) => Promise<T>,
) => Promise<T>

export interface ApplyOptions {
  db: Db
  slot: Slot
  run: RunContext
  change: ChangePeople
  mobileKey: MobileKey
  /** Ends the sessions of people who are disabled. */
  endSessions: (permit: RunPermit, userIds: readonly number[]) => Promise<void>
  /** The rank with which people are changed. */
  authority: Authority
}

/** Why a change is held or failed: the columns of `run_changes` that say it. */
export const reasonSet = (stated: Statement): SQL =>
  sql`reason = ${stated.text}, stated = ${JSON.stringify(stated)}::jsonb`

/** Counts the results of a run's changes. */
export const applied = async (db: Db, runId: number): Promise<DoneCounts> => {
  const [row] = await db.execute<DoneCounts & Record<string, unknown>>(countedIn(runId))
  if (row === undefined) throw new Error('The count answered no row')
  return { ...row }
}

export const markDone = async (tx: Tx, planned: SQL): Promise<void> => {
  await tx.execute(sql`update run_changes c set state = 'done' where ${planned}`)
}

export const markFailed = async ({ db, run }: ApplyOptions, seq: number, fault: Statement): Promise<void> => {
  await db.transaction(async (tx) => {
    await lockRun(tx, run)
    await tx.execute(sql`
      update run_changes set state = 'failed', ${reasonSet(fault)} where run_id = ${run.id} and seq = ${seq}`)
  })
}

/**
 * Why the database refused the values of a change, for the report; null for a reason that is not in the record, such as
 * a lost connection.
 */
export const recordFault = (error: unknown): Statement | null => {
  const constraint = conflictOn(error)
  if (constraint !== null) return statements.value_taken({ field: uniqueFields[constraint] ?? constraint })
  const code = sqlStateOf(error)
  // Class 22: data exception, 23: integrity constraint violation, 54: program limit exceeded (an index row too large).
  return code !== null && /^(22|23|54)/.test(code) ? statements.database_refused({ code }) : null
}
