/** The date (`YYYY-MM-DD`) so many days before another, by the calendar: how long those days were does not matter. */
export const daysBefore = (date: string, days: number): string => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10)
}

/** The date so many days after another, at most the last one of four digits. */
export const daysAfter = (date: string, days: number): string => {
  const after = daysBefore(date, -days)
  return after.startsWith('+') ? '9999-12-31' : after
}
