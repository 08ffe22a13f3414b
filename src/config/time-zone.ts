import type { Variables } from './variables.ts'

const expected = 'an IANA time zone such as Europe/Berlin'

/**
 * TIME_ZONE, by default the zone of the host; what is wrong is added to the problems. It is a name, because two programs
 * read it: an offset such as `+05:30` means east of Greenwich to newer versions of Node.js and west of it to PostgreSQL.
 * A TZ such as `CST-8`, or one with a slip, has no name, and PostgreSQL would refuse what Node.js makes of it.
 * @param host the zone as Node.js takes it from TZ or the system; undefined where it has no name
 */
export const readTimeZone = ({ parse, problems, read }: Variables, host: string | undefined): string => {
  if (read('TIME_ZONE') !== null) return parse('TIME_ZONE', 'UTC', toTimeZone, expected)
  const zone = host === undefined ? undefined : toTimeZone(host)
  if (zone === undefined) problems.push(`TIME_ZONE: expected ${expected}, because TZ of the host names no zone`)
  return zone ?? 'UTC'
}

const toTimeZone = (value: string): string | undefined => {
  if (!/^[a-z]/i.test(value)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
