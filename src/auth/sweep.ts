import { and, isNull, lt, sql } from 'drizzle-orm'
import { currentTime } from '../clock.ts'
import type { Db } from '../db/client.ts'
import {
  alerts,
  mailCodes,
  notifications,
  reports,
  runChanges,
  runRecords,
  sessions,
  stepUpCodes,
  throttles,
} from '../db/schema.ts'

/** Milliseconds: sessions are kept for review, attempts as long as they count. */
const sessionsKept = 30 * 86_400_000
const attemptsKept = 3_600_000
/** For plans, after their runs ended; the reports stay. */
const plansKept = 30 * 86_400_000
/** For alerts, after they were handled; open ones stay. */
const alertsKept = 365 * 86_400_000
/** For notifications that were delivered or given up, after they were written; those of open alerts stay. */
const notificationsKept = 30 * 86_400_000

/**
 * Removes data past its retention: ended sessions, attempts that no longer count, expired codes and reports, plans of
 * old runs, alerts that were handled long ago, and delivered notifications.
 */
export const sweep = async (db: Db, now = new Date(currentTime())): Promise<void> => {
  const before = (age: number): Date => new Date(now.getTime() - age)
  await db.delete(sessions).where(lt(sessions.lastUsedAt, before(sessionsKept)))
  await db.delete(throttles).where(lt(throttles.lastAttemptAt, before(attemptsKept)))
  await db.delete(mailCodes).where(lt(mailCodes.expiresAt, now))
  await db.delete(stepUpCodes).where(lt(stepUpCodes.expiresAt, now))
  await db.delete(reports).where(lt(reports.expiresAt, now))
  await db.delete(alerts).where(lt(alerts.handledAt, before(alertsKept)))
  // The notification of an open alert is what prevents another one for its next repeat.
  await db
    .delete(notifications)
    .where(
      and(
        isNull(notifications.nextAt),
        lt(notifications.createdAt, before(notificationsKept)),
        sql`not exists (select from alerts a where a.id = ${notifications.alertId} and a.handled_at is null)`,
      ),
    )
  await db.delete(runChanges).where(sql`${runChanges.runId} in (
    select id from runs where state <> 'running' and state <> 'held' and finished_at < ${before(plansKept).toISOString()}::timestamptz)`)
  await db.delete(runRecords).where(sql`${runRecords.runId} in (select id from runs where state <> 'running')`)
}
