import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import {
  alerts,
  knownBinders,
  mailCodes,
  notifications,
  reports,
  runChanges,
  runRecords,
  sessions,
  stepUpCodes,
  throttles,
} from '../db/schema.ts'
import { currentTime } from '../runtime/clock.ts'
import { knownFor } from './known-binders.ts'

/** Milliseconds: sessions are kept for review, attempts as long as they count. */
const sessionsKept = 30 * 86_400_000
const attemptsKept = 3_600_000
/** For plans, after their runs ended; the reports stay. */
const plansKept = 30 * 86_400_000
/** Rows of a plan that one statement removes. Another statement waits for it on the embedded database; a plan may have millions. */
const planRowsAtOnce = 5000
/** For alerts, after they were handled; open ones stay. */
const alertsKept = 365 * 86_400_000
/** For notifications that were delivered or given up, after they were written; those of open alerts stay. */
const notificationsKept = 30 * 86_400_000

/**
 * Removes data past its retention: ended sessions, attempts that no longer count, binds of long ago, expired codes and
 * reports, plans of old runs, alerts that were handled long ago, and delivered notifications.
 * @throws the signal's reason, between two parts of its work
 */
export const sweep = async (db: Db, now = new Date(currentTime()), signal?: AbortSignal): Promise<void> => {
  const before = (age: number): Date => new Date(now.getTime() - age)
  await db.delete(sessions).where(lt(sessions.lastUsedAt, before(sessionsKept)))
  await db.delete(throttles).where(lt(throttles.lastAttemptAt, before(attemptsKept)))
  await db.delete(knownBinders).where(lt(knownBinders.lastBoundAt, before(knownFor)))
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
  await removePlans(db, before(plansKept), signal)
  await db.delete(runRecords).where(sql`${runRecords.runId} in (select id from runs where state <> 'running')`)
}

/** Removes the plans of runs that ended before a time. */
const removePlans = async (db: Db, before: Date, signal?: AbortSignal): Promise<void> => {
  const ended = await db.execute<{ id: string; rows: number }>(sql`
    select r.id, (select max(seq) from run_changes where run_id = r.id) as rows from runs r
    where state <> 'running' and state <> 'held' and finished_at < ${before.toISOString()}::timestamptz
      and exists (select from run_changes where run_id = r.id)`)
  for (const { id, rows } of ended) {
    for (let seq = 0; seq < rows; seq += planRowsAtOnce) {
      signal?.throwIfAborted()
      const isOfPiece = lte(runChanges.seq, seq + planRowsAtOnce)
      await db.delete(runChanges).where(and(eq(runChanges.runId, Number(id)), isOfPiece))
    }
  }
}
