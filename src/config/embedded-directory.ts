import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { EmbeddedPlace } from '../mirror/entry/directory-settings.ts'
import { isLoopback, toPort, type Variables } from './variables.ts'

/** 389 → 636, 1389 → 1636. */
const beforeLdaps = 636 - 389

const toNames = (value: string): string[] | undefined => {
  const names = value.split(',').map((name) => name.trim())
  return names.every((name) => isIP(name) !== 0 || /^[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?$/u.test(name))
    ? names
    : undefined
}

/** The operator's certificate: both files or neither, and a key that belongs to the certificate. */
const readCertificate = ({ problems, path }: Variables): { certFile: string; keyFile: string } | null => {
  const cert = path('EMBEDDED_LDAP_CERT_FILE')
  const key = path('EMBEDDED_LDAP_KEY_FILE')
  if (cert === null && key === null) return null
  if (cert === null || key === null) {
    const [missing, given] = cert === null ? ['CERT', 'KEY'] : ['KEY', 'CERT']
    problems.push(`EMBEDDED_LDAP_${missing}_FILE: required when EMBEDDED_LDAP_${given}_FILE is set`)
    return null
  }
  if (cert.content === null || key.content === null) return null
  try {
    if (!new X509Certificate(cert.content).checkPrivateKey(createPrivateKey(key.content))) {
      problems.push('EMBEDDED_LDAP_KEY_FILE: is not the key of the certificate in EMBEDDED_LDAP_CERT_FILE')
    }
  } catch {
    problems.push('EMBEDDED_LDAP_CERT_FILE, EMBEDDED_LDAP_KEY_FILE: expected a certificate and its private key, as PEM')
  }
  return { certFile: cert.file, keyFile: key.file }
}

/** Where the embedded directory listens. null: EMBEDDED_LDAP_PORT=off. */
export const readEmbedded = (variables: Variables): EmbeddedPlace | null => {
  const { problems, read, parse, flag, integer } = variables
  const port = parse<number | 'off'>('EMBEDDED_LDAP_PORT', 1389, toPort, 'a port from 0 to 65535, or off')
  const usual = port === 'off' || port === 0 || port + beforeLdaps > 65_535 ? 0 : port + beforeLdaps
  const ldapsPort = parse<number | 'off'>('EMBEDDED_LDAPS_PORT', usual, toPort, 'a port from 0 to 65535, or off')
  if (typeof ldapsPort === 'number' && ldapsPort !== 0 && ldapsPort === port)
    problems.push('EMBEDDED_LDAPS_PORT: expected another port than EMBEDDED_LDAP_PORT')
  const host = read('EMBEDDED_LDAP_HOST') ?? '127.0.0.1'
  const tls = flag('EMBEDDED_LDAP_TLS', true)
  const own = readCertificate(variables)
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
    tls: tls ? { own, names } : null,
    sizeLimit,
    baseDn: 'dc=steward,dc=local',
  }
}
