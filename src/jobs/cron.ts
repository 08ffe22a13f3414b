import { Cron } from 'croner'

/** Five fields or a nickname such as @daily, in a time zone. Without a function it starts no timer. */
const open = (expression: string, timeZone: string): Cron =>
  new Cron(expression, { mode: '5-part', timezone: timeZone })

/** Whether this is a cron expression that is due repeatedly; croner also accepts a date, which is due once. */
export const isCron = (expression: string): boolean => {
  try {
    const cron = open(expression, 'UTC')
    return cron.getOnce() === null && cron.nextRun() !== null
  } catch {
    return false
  }
}

/**
 * When an expression is next due, strictly after `after`. A time that a change of the clocks skips is due right after
 * the gap, a time that occurs twice is due once.
 * @param expression one that `isCron` accepts
 */
export const nextDue = (expression: string, timeZone: string, after: Date): Date => {
  const next = open(expression, timeZone).nextRun(after)
  if (next === null) throw new Error(`${expression} is never due again`)
  return next
}
