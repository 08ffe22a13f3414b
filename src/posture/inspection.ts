import { sql } from 'drizzle-orm'
import { alertOf } from '../alerts/alert.ts'
import type { RaiseAlert } from '../alerts/alert-queue.ts'
import { closeAlert } from '../alerts/raise-alerts.ts'
import type { LogKeys } from '../audit/keys.ts'
import { verifyLog } from '../audit/verify.ts'
import type { Db } from '../db/client.ts'
import { instantText } from '../db/json-record.ts'
import { nextDue } from '../jobs/cron.ts'
import type { Job } from '../jobs/schedule.ts'
import { clockTolerance, currentTime } from '../runtime/clock.ts'

const hour = 3_600_000
/** The newest entries of the operation log, which an attacker would change to hide something. */
const checkedEntries = 10_000
/** Milliseconds a backup may be late: it takes time, and may have to be retried. */
const lateness = 2 * hour

export interface InspectionOptions {
  db: Db
  keys: LogKeys
  /** BACKUP_SCHEDULE; null: no backup is expected. */
  backupSchedule: string | null
  timeZone: string
  raise: RaiseAlert
}

/** Checks for problems that cause no event: a log that was tampered with, and a missing backup. */
export const inspect = async (options: InspectionOptions, now = new Date(currentTime())): Promise<void> => {
  const { db, keys, backupSchedule, timeZone, raise } = options
  const { broken, unchecked } = await verifyLog(db, keys, { newest: checkedEntries })
  if (broken !== null) await raise(alertOf('logBroken', broken))
  if (unchecked !== null) await raise(alertOf('logUnchecked', unchecked))
  const since = await lastBackup(db, now)
  if (since === null) return
  const due = backupSchedule === null ? Number.POSITIVE_INFINITY : nextDue(backupSchedule, timeZone, since).getTime()
  if (now.getTime() < due + lateness) await closeAlert(db, 'backupMissing', {})
  else await raise(alertOf('backupMissing', { since }))
}

/**
 * The start of the newest verified backup; without any, the time of the installation. A start in
 * the future comes from a wrong clock and does not count: until then it would hide that there are no other backups.
 */
const lastBackup = async (db: Db, now: Date): Promise<Date | null> => {
  const until = new Date(now.getTime() + clockTolerance).toISOString()
  const [row] = await db.execute<{ since: string | null }>(sql`
    select ${instantText(sql`coalesce(
      (select max(started_at) from backups
        where status = 'success' and expired_at is null and started_at <= ${until}::timestamptz),
      (select min(created_at) from users))`)} as since`)
  return row?.since ? new Date(row.since) : null
}

export const inspectionJob = (options: InspectionOptions): Job => ({
  name: 'inspection',
  interval: hour,
  run: () => inspect(options),
})
