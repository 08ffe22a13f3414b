/** An existing file that was verified. */
export interface Keepable {
  id: number
  type: 'auto' | 'manual'
  /** The time of its snapshot. */
  at: Date
}

const days = 7
const weeks = 4
const months = 6
/** Days a manual backup is kept. */
const manualDays = 90
const day = 86_400_000

/**
 * The files past their retention. Kept are: of the automatic backups, the newest of each of the last 7 days, 4 weeks
 * (from Monday) and 6 months with a backup; of the others, those of the last 90 days; and always the newest of all.
 * What is newer says the order in which they were made, their ids: a clock that was wrong for a while has given one
 * a time that says nothing.
 * @param timeZone decides when a day, a week and a month begin
 */
export const expired = (backups: readonly Keepable[], now: Date, timeZone: string): number[] => {
  const newestFirst = [...backups].sort((a, b) => b.id - a.id)
  const automatic = newestFirst.filter(({ type }) => type === 'auto')
  const dateOf = openCalendar(timeZone)
  const madeSince = new Date(now.getTime() - manualDays * day)
  const kept = new Set([
    ...newestFirst.slice(0, 1),
    ...madeAfter(newestFirst, { since: madeSince, now }).filter(({ type }) => type === 'manual'),
    ...newestOfEach(automatic, ({ at }) => dateOf(at), days),
    ...newestOfEach(automatic, ({ at }) => mondayOf(dateOf(at)), weeks),
    ...newestOfEach(automatic, ({ at }) => dateOf(at).slice(0, 7), months),
  ])
  return newestFirst.filter((backup) => !kept.has(backup)).map(({ id }) => id)
}

/** Those that are younger, and those that were made after one that is: their times are from a clock that was behind. */
const madeAfter = (newestFirst: readonly Keepable[], { since, now }: { since: Date; now: Date }): Keepable[] => {
  const oldest = newestFirst.findLastIndex(({ at }) => at > since && at <= now)
  return newestFirst.filter(({ at }, place) => at > since || place < oldest)
}

/** The first, which is the newest, of each of the first `count` periods with a backup. */
const newestOfEach = (
  newestFirst: readonly Keepable[],
  periodOf: (backup: Keepable) => string,
  count: number,
): Keepable[] => {
  const first = new Map<string, Keepable>()
  for (const backup of newestFirst) {
    const period = periodOf(backup)
    if (!first.has(period)) first.set(period, backup)
  }
  return [...first.values()].slice(0, count)
}

/** YYYY-MM-DD on the calendar of a time zone. */
const openCalendar = (timeZone: string): ((at: Date) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (at) => format.format(at)
}

const mondayOf = (date: string): string => {
  const at = new Date(`${date}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * day).toISOString().slice(0, 10)
}
