import { createPrivateKey, X509Certificate } from 'node:crypto'
import { facilities, type SyslogSettings } from '../audit/syslog/settings.ts'
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

/** What this client shows to the receiver: both or neither, and a key that belongs to the certificate. */
const readClient = ({ problems, file }: Variables): { cert: string; key: string } | null => {
  const known = problems.length
  const cert = file('SYSLOG_CERT_FILE')
  const key = file('SYSLOG_KEY_FILE')
  // A file that cannot be read is reported by itself.
  if (problems.length > known || (cert === null && key === null)) return null
  if (cert === null || key === null) {
    const [missing, given] = cert === null ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    problems.push(`SYSLOG_${missing}_FILE: required when SYSLOG_${given}_FILE is set`)
    return null
  }
  try {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      problems.push('SYSLOG_KEY_FILE: is not the key of the certificate in SYSLOG_CERT_FILE')
  } catch {
    problems.push('SYSLOG_CERT_FILE, SYSLOG_KEY_FILE: expected a certificate and its private key, as PEM')
  }
  return { cert, key }
}

const readAuthority = ({ problems, file }: Variables): string | null => {
  const ca = file('SYSLOG_CA_FILE')
  if (ca === null) return null
  try {
    new X509Certificate(ca)
  } catch {
    problems.push('SYSLOG_CA_FILE: expected certificates, as PEM')
  }
  return ca
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
  const ca = readAuthority(variables)
  const client = readClient(variables)
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
