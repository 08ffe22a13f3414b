import { inArray } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { isHeld } from '../db/lease.ts'
import { schedules } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'

export interface JobState {
  /** In the past while the job is running or about to start. */
  nextRunAt: Date
  running: boolean
  lastOkAt: Date | null
  /** Why the last run failed; empty if it did not. */
  lastError: string
  /** The same in a form that can be translated; null: it did not fail, or an earlier version wrote it. */
  stated: Statement | null
}

/** The states of the jobs with these names; those that the schedule knows. */
export const jobStates = async (db: Db, names: readonly string[]): Promise<Map<string, JobState>> => {
  const rows = await db
    .select({
      name: schedules.name,
      nextRunAt: schedules.nextRunAt,
      running: isHeld(schedules),
      lastOkAt: schedules.lastOkAt,
      lastError: schedules.lastError,
      stated: schedules.stated,
    })
    .from(schedules)
    .where(inArray(schedules.name, [...names]))
  return new Map(rows.map(({ name, ...state }) => [name, state]))
}
