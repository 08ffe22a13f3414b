import { isIP } from 'node:net'
import type { EmbeddedPlace } from '../mirror/entry/directory-settings.ts'
import { readOwnCertificate } from './certificates.ts'
import { hostForm, isLoopback, toHost, toPort, type Variables } from './variables.ts'

/** 389 → 636, 1389 → 1636. */
const beforeLdaps = 636 - 389

const toNames = (value: string): string[] | undefined => {
  const names = value.split(',').map((name) => name.trim())
  return names.every((name) => isIP(name) !== 0 || /^[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?$/u.test(name))
    ? names
    : undefined
}

/** Where the embedded directory listens. null: EMBEDDED_LDAP_PORT=off. */
export const readEmbedded = (variables: Variables): EmbeddedPlace | null => {
  const { problems, parse, flag, integer } = variables
  const port = parse<number | 'off'>('EMBEDDED_LDAP_PORT', 1389, toPort, 'a port from 0 to 65535, or off')
  const usual = port === 'off' || port === 0 || port + beforeLdaps > 65_535 ? 0 : port + beforeLdaps
  const ldapsPort = parse<number | 'off'>('EMBEDDED_LDAPS_PORT', usual, toPort, 'a port from 0 to 65535, or off')
  if (typeof ldapsPort === 'number' && ldapsPort !== 0 && ldapsPort === port)
    problems.push('EMBEDDED_LDAPS_PORT: expected another port than EMBEDDED_LDAP_PORT')
  const host = parse('EMBEDDED_LDAP_HOST', '127.0.0.1', toHost, hostForm)
  const tls = flag('EMBEDDED_LDAP_TLS', true)
  const own = readOwnCertificate(variables, 'EMBEDDED_LDAP')
  const names = parse('EMBEDDED_LDAP_NAMES', [], toNames, 'names and addresses of this machine, separated by commas')
  if (!tls && !isLoopback(host))
    problems.push('EMBEDDED_LDAP_TLS: may be off only while EMBEDDED_LDAP_HOST is an address of loopback')
  const sizeLimit = integer('EMBEDDED_LDAP_SIZE_LIMIT', 50_000, 1, 10_000_000)
  if (port === 'off') return null
  return {
    kind: 'embedded',
    host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host,
    port,
    ldapsPort: tls && ldapsPort !== 'off' ? ldapsPort : null,
    tls: tls ? { own: own && { certFile: own.certFile, keyFile: own.keyFile }, names } : null,
    sizeLimit,
    baseDn: 'dc=steward,dc=local',
  }
}
