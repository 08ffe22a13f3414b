import { isIP } from 'node:net'
import { createSecureContext, checkServerIdentity as isFor, type PeerCertificate, type SecureContext } from 'node:tls'
import { messageOf } from '../failures/caught-error.ts'
import { lastUsable } from '../files/last-usable.ts'
import { readTextFile } from '../files/text-file.ts'
import { hostUrls } from './hosts.ts'

// libpq's parameters of a URL. The driver (postgres.js 3.4.9) knows some values of `sslmode`, takes any other for
// `verify-full`, sends the names of files to the server, and holds a server that is named by an address for `localhost`.

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/** The modes that allow a connection without TLS. */
const optional: ReadonlySet<Mode> = new Set(['disable', 'allow', 'prefer'])

/** `ssl` is the driver's own name of the mode. */
const aliases: Readonly<Record<string, Mode>> = { true: 'verify-full', false: 'disable' }

const parameters = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'] as const

/** For the driver: `false`, a mode that it knows, or options of TLS, which are read anew for each connection. */
export type Ssl = false | 'allow' | 'prefer' | 'require' | object

interface Wanted {
  mode: Mode
  /** Files. */
  ca: string | null
  certificate: string | null
  key: string | null
}

/** null: the URL does not say. @throws Error that says what is wrong with the parameters */
const wantedOf = ({ searchParams }: URL): Wanted | null => {
  const [given, ca, certificate, key] = [
    searchParams.get('sslmode') || searchParams.get('ssl') || null,
    ...['sslrootcert', 'sslcert', 'sslkey'].map((name) => searchParams.get(name) || null),
  ] as [string | null, string | null, string | null, string | null]
  const isSystem = ca === 'system'
  if (given === null && !isSystem) {
    if (ca ?? certificate ?? key) throw new Error('sslrootcert, sslcert and sslkey need an sslmode that wants TLS')
    return null
  }
  const mode = given === null ? 'verify-full' : (aliases[given] ?? modes.find((each) => each === given))
  if (mode === undefined) throw new Error(`sslmode has to be ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}`)
  if (optional.has(mode) && (ca ?? certificate ?? key) !== null)
    throw new Error(`sslrootcert, sslcert and sslkey do nothing with sslmode=${mode}`)
  if ((certificate === null) !== (key === null)) throw new Error('sslcert and sslkey belong together')
  // As in libpq: who names an authority wants it to count.
  return { mode: mode === 'require' && ca !== null ? 'verify-ca' : mode, ca: isSystem ? null : ca, certificate, key }
}

/**
 * What is wrong with how a URL of PostgreSQL asks for TLS, its files included; null: nothing.
 * @param url one that `hostUrls` takes
 */
export const tlsProblem = (url: string): string | null => {
  const [first] = hostUrls(url) ?? []
  try {
    const wanted = first === undefined ? null : wantedOf(first)
    if (wanted !== null) contextOf(wanted)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

const filesOf = ({ ca, certificate, key }: Wanted): { ca?: string; cert?: string; key?: string } => ({
  ...(ca !== null && { ca: readFileOf('sslrootcert', ca) }),
  ...(certificate !== null &&
    key !== null && { cert: readFileOf('sslcert', certificate), key: readFileOf('sslkey', key) }),
})

/** @throws Error that names the parameter: the one of the system names only the file */
const readFileOf = (parameter: 'sslrootcert' | 'sslcert' | 'sslkey', file: string): string => {
  try {
    return readTextFile(file)
  } catch (error) {
    throw new Error(`${parameter} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

/** By the names of their files. */
const contexts = new Map<string, () => SecureContext>()

/**
 * Files are replaced while Steward runs. Where they cannot be read just then, or do not fit, the last ones are used.
 * @throws Error when there never were any
 */
const contextOf = (wanted: Wanted): SecureContext => {
  const names = JSON.stringify([wanted.ca, wanted.certificate, wanted.key])
  const context = contexts.get(names) ?? lastUsable(() => createSecureContext(filesOf(wanted)))
  contexts.set(names, context)
  return context()
}

/**
 * Checks that a certificate is for the server. An address cannot be a `servername`, so that Node.js gives `localhost` as the
 * name of a server that the URL names by an address: the certificate then has to be for one of the addresses of the URL.
 */
const identityOf =
  (hosts: readonly string[]) =>
  (name: string, certificate: PeerCertificate): Error | undefined => {
    const possible = hosts.filter((host) => host === name || isIP(host) !== 0)
    const failures = possible.map((host) => isFor(host, certificate))
    return failures.includes(undefined) ? undefined : (failures[0] ?? isFor(name, certificate))
  }

/**
 * A URL without what it says of TLS, and that for the driver; `ssl` undefined: it says nothing.
 * @param hosts where the connections of a URL with one host go in truth; default: to that host
 * @throws Error as `tlsProblem` says it
 */
export const tlsOf = (url: string, hosts?: readonly string[]): { url: string; ssl: Ssl | undefined } => {
  const place = new URL(url)
  const wanted = wantedOf(place)
  if (wanted === null) return { url, ssl: undefined }
  for (const name of parameters) place.searchParams.delete(name)
  return { url: place.href, ssl: sslOf(wanted, hosts ?? [hostOf(place)]) }
}

/** The name or the address, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const sslOf = (wanted: Wanted, hosts: readonly string[]): Ssl => {
  const { mode, certificate } = wanted
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer' || (mode === 'require' && certificate === null)) return mode
  // What cannot be used is said now: in the middle of a connection an error would end the process.
  contextOf(wanted)
  return {
    ...(mode === 'require' && { rejectUnauthorized: false }),
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(mode === 'verify-full' && { checkServerIdentity: identityOf(hosts) }),
    // The driver copies these for each connection.
    get secureContext() {
      return contextOf(wanted)
    },
  }
}
