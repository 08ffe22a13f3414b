import { nextDue } from './cron.ts'

/** When periodic work is due: a number of milliseconds after its last end, or by a cron expression in a time zone. */
export type Timing = { interval: number } | { cron: string; timeZone: string }

/** Milliseconds before the first retry; they double with each failure up to the work's own interval. */
const firstRetry = 10_000
/** Cron jobs are longer work, and depend on another system that has just refused. */
const firstRetryByClock = 300_000

/** When work that succeeded at `now` is due again. */
export const dueAfter = (timing: Timing, now: Date): Date =>
  'cron' in timing ? nextDue(timing.cron, timing.timeZone, now) : new Date(now.getTime() + timing.interval)

/** When work that failed at `now` is retried. @param failures in a row, from 1 */
export const retryAfter = (timing: Timing, now: Date, failures: number): Date => {
  const first = 'cron' in timing ? firstRetryByClock : firstRetry
  const delay = first * 2 ** Math.min(failures - 1, 20)
  return new Date(Math.min(now.getTime() + delay, dueAfter(timing, now).getTime()))
}
