import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { schedules } from '../db/schema.ts'

export interface JobState {
  /** In the past while the work is under way, or about to be. */
  nextRunAt: Date
  running: boolean
  lastOkAt: Date | null
  /** Why it failed the last time; empty when it did not. */
  lastError: string
}

/** How the jobs of these names stand, as far as the schedule knows them. */
export const jobStates = async (db: Db, names: readonly string[]): Promise<Map<string, JobState>> => {
  const rows = await db
    .select({
      name: schedules.name,
      nextRunAt: schedules.nextRunAt,
      running: sql<boolean>`coalesce(${schedules.leaseUntil} > now(), false)`,
      lastOkAt: schedules.lastOkAt,
      lastError: schedules.lastError,
    })
    .from(schedules)
    .where(inArray(schedules.name, [...names]))
  return new Map(rows.map(({ name, ...state }) => [name, state]))
}
