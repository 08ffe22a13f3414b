import { sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import type { LogKeys } from '../audit/keys.ts'
import { verifyLog } from '../audit/verify.ts'
import type { Db } from '../db/client.ts'
import { nextDue } from '../jobs/cron.ts'
import type { Job } from '../jobs/schedule.ts'

const hour = 3_600_000
/** Of the operation log: the part in which an attacker would cover something up. */
const checkedEntries = 10_000
/** Milliseconds a backup may be late: it takes a while, and may have to be tried again. */
const lateness = 2 * hour

export interface InspectionOptions {
  db: Db
  keys: LogKeys
  /** BACKUP_SCHEDULE; null: none is expected. */
  backupSchedule: string | null
  timeZone: string
  raise: RaiseAlert
}

/** Looks for what nothing happens to tell of: a log that was tampered with, and a backup that was not made. */
export const inspect = async (options: InspectionOptions, now = new Date()): Promise<void> => {
  const { db, keys, backupSchedule, timeZone, raise } = options
  const { broken, unchecked } = await verifyLog(db, keys, { newest: checkedEntries })
  if (broken !== null) await raise(alertOf('logBroken', broken))
  if (unchecked !== null) await raise(alertOf('logUnchecked', unchecked))
  if (backupSchedule === null) return
  const since = await lastBackup(db)
  if (since === null || now.getTime() < nextDue(backupSchedule, timeZone, since).getTime() + lateness) return
  await raise(alertOf('backupMissing', { since }))
}

/** When the newest proven backup was begun; without any, when the installation was. */
const lastBackup = async (db: Db): Promise<Date | null> => {
  const [row] = await db.execute<{ since: string | null }>(sql`
    select to_char(coalesce(
      (select max(started_at) from backups where status = 'success' and expired_at is null),
      (select min(created_at) from users)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since`)
  return row?.since ? new Date(row.since) : null
}

export const inspectionJob = (options: InspectionOptions): Job => ({
  name: 'inspection',
  interval: hour,
  run: () => inspect(options),
})
