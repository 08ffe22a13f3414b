import { sql } from 'drizzle-orm'
import type { LogKeys } from '../audit/keys.ts'
import { type Break, verifyLog } from '../audit/verify.ts'
import type { Db } from '../db/client.ts'
import { nextDue } from '../jobs/cron.ts'
import type { Job } from '../jobs/schedule.ts'
import type { Alarm, RaiseAlarm } from './alarm.ts'

const hour = 3_600_000
/** Of the operation log: the part that whoever covers something up has written. */
const checkedEntries = 10_000
/** Milliseconds a backup may be late: it takes a while, and may have to be tried again. */
const lateness = 2 * hour

export interface InspectionOptions {
  db: Db
  keys: LogKeys
  /** BACKUP_SCHEDULE; null: nobody expects any. */
  backupSchedule: string | null
  timeZone: string
  alarm: RaiseAlarm
}

/** Looks for what nothing happens to tell of: a log that was tampered with, and a backup that was not made. */
export const inspect = async (options: InspectionOptions, now = new Date()): Promise<void> => {
  const { db, keys, backupSchedule, timeZone, alarm } = options
  const { broken, unchecked } = await verifyLog(db, keys, { newest: checkedEntries })
  if (broken !== null) await alarm(brokenLog(broken))
  if (unchecked !== null) {
    await alarm({
      cause: 'operation log unchecked',
      title: 'Entries of the operation log cannot be checked',
      description: `The entries ${unchecked.first} to ${unchecked.last} are signed with a key that is not known here (${unchecked.keyId}). If it is an earlier one, name its secret in LOG_KEY, behind the current one; if not, somebody else wrote them`,
      level: 'warning',
    })
  }
  if (backupSchedule === null) return
  const since = await lastBackup(db)
  if (since === null || now.getTime() < nextDue(backupSchedule, timeZone, since).getTime() + lateness) return
  await alarm({
    cause: 'backup missing',
    title: 'A backup is missing',
    description: `No backup was made and proven since ${since.toISOString()}, although one was due (BACKUP_SCHEDULE)`,
    level: 'danger',
  })
}

export const brokenLog = ({ seq, message }: Break): Alarm => ({
  cause: 'operation log broken',
  title: 'The operation log is not what was written',
  description: `At entry ${seq}: ${message}. npm run verify-log checks all of it`,
  level: 'danger',
})

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
