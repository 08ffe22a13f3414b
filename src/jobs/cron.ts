import { Cron } from 'croner'
import { displayTime } from '../text/display.ts'

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
  const key = `${expression} ${timeZone}`
  const known = newest.get(key)
  if (known !== undefined && known.after <= after && after < known.next) return known.next
  const listed = open(expression, timeZone).nextRun(after)
  if (listed === null) throw new Error(`${expression} is never due again`)
  const next = skippedBetween(expression, timeZone, after, listed) ?? listed
  newest.set(key, { after, next })
  return next
}

/** By expression and time zone: schedules are asked for it every few seconds, and there are as many as settings. */
const newest = new Map<string, { after: Date; next: Date }>()

const day = 86_400_000

/**
 * What croner leaves out: a time that is skipped on the evening before the clocks show the next date, as in Greenland,
 * and one of several that are skipped at once, as of `0,30 2 * * *`. null: nothing is skipped in between.
 */
const skippedBetween = (expression: string, timeZone: string, after: Date, next: Date): Date | null => {
  const offsetAt = openOffsets(timeZone)
  const end = next.getTime()
  let [low, before] = [after.getTime(), offsetAt(after.getTime())]
  while (low < end) {
    const high = Math.min(low + day, end)
    const then = offsetAt(high)
    if (then > before) {
      const gap = firstWith((instant) => offsetAt(instant) > before, low, high)
      // The times that clocks did not show, as if they were those of UTC.
      const due = open(expression, 'UTC').nextRun(new Date(gap + before - 1))
      if (due !== null && due.getTime() < gap + then && gap > after.getTime()) return new Date(gap)
    }
    low = high
    before = then
  }
  return null
}

/** By how many milliseconds the clocks of a time zone are ahead of UTC at an instant. */
const openOffsets =
  (timeZone: string) =>
  (at: number): number => {
    const second = Math.floor(at / 1000) * 1000
    return Date.parse(`${displayTime(new Date(second), timeZone).replace(' ', 'T')}Z`) - second
  }

/** The first whole second with a property. @param low an instant without it @param high one with it */
const firstWith = (has: (instant: number) => boolean, low: number, high: number): number => {
  let [without, first] = [Math.floor(low / 1000), Math.floor(high / 1000)]
  while (first - without > 1) {
    const middle = Math.floor((without + first) / 2)
    if (has(middle * 1000)) first = middle
    else without = middle
  }
  return first * 1000
}
