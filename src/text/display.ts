/**
 * An instant in the security document's format: `YYYY-MM-DD HH:mm:ss`, local time of `timeZone` (an IANA name). In SQL
 * the same text is `to_char(x at time zone <zone>, 'YYYY-MM-DD HH24:MI:SS')`.
 */
export const displayTime = (instant: Date, timeZone: string): string =>
  formatOf(timeZone).format(instant).replace(', ', ' ')

// Creating a format costs a hundred times as much as using it, and an installation has one time zone.
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone)
  if (format === undefined) {
    // Swedish writes dates as ISO 8601 does; `h23` because midnight is 00, not 24.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}
