const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** "3 minutes ago" */
export const relativeTime = (instant: number, now: number, language: string): string => {
  const seconds = Math.round((instant - now) / 1000)
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second' as const, 1]
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
}

export const exactTime = (instant: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(instant)

/** An instant as an input of a local time has it: `2026-11-27T09:30`; empty for none. */
export const localTime = (instant: number): string => {
  const time = new Date(instant)
  if (Number.isNaN(instant)) return ''
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate(), time.getHours(), time.getMinutes()]
  const [year, month, day, hours, minutes] = parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0'))
  return `${year}-${month}-${day}T${hours}:${minutes}`
}
