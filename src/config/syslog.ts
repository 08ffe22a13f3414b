import { facilities, type SyslogSettings } from '../audit/syslog/settings.ts'
import { readAuthorities, readOwnCertificate } from './certificates.ts'
import { isLoopback, type Variables, withoutBrackets } from './variables.ts'

interface Place {
  host: string
  port: number
  encrypted: boolean
}

const toPlace = (value: string): Place | undefined => {
  if (!URL.canParse(value)) return undefined
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(value)
  const encrypted = protocol === 'syslog+tls:'
  const isPlain = /^\/?$/.test(pathname) && [search, hash, username, password].every((part) => part === '')
  if (!(encrypted || protocol === 'syslog+tcp:') || hostname === '' || !isPlain || port === '0') return undefined
  const host = withoutBrackets(hostname).toLowerCase()
  return { host, port: Number(port || (encrypted ? 6514 : 601)), encrypted }
}

/** null: SYSLOG_URL is not set. */
export const readSyslog = (variables: Variables): SyslogSettings | null => {
  const { problems, parse, oneOf, flag, integer } = variables
  const place = parse<Place | null>(
    'SYSLOG_URL',
    null,
    toPlace,
    'syslog+tls://host:port (syslog+tcp:// to this host only), without user, path and query',
  )
  const ca = readAuthorities(variables, 'SYSLOG_CA_FILE')
  const client = readOwnCertificate(variables, 'SYSLOG')?.now ?? null
  const plain = flag('SYSLOG_PLAIN', false)
  const appName = parse(
    'SYSLOG_APP_NAME',
    'steward',
    (value) => (/^[\x21-\x7e]{1,48}$/.test(value) ? value : undefined),
    '1 to 48 ASCII characters without spaces',
  )
  const facility = facilities[oneOf('SYSLOG_FACILITY', Object.keys(facilities) as (keyof typeof facilities)[], 'audit')]
  const maxBytes = integer('SYSLOG_MAX_BYTES', 8192, 2048, 1_048_576)
  if (place === null) return null
  const { host, port, encrypted } = place
  if (!encrypted && !plain && !isLoopback(host)) {
    problems.push('SYSLOG_URL: syslog+tcp:// is not encrypted; use syslog+tls://, or set SYSLOG_PLAIN=on')
  }
  return { host, port, tls: encrypted ? { ca, client } : null, appName, facility, maxBytes }
}
