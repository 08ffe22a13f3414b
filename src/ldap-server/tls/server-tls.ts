import { constants, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { createSecureContext, type SecureContext } from 'node:tls'
import { domainToASCII } from 'node:url'
import { readTextFile } from '../../files/text-file.ts'
import { errorRecord, type Logger } from '../../runtime/log.ts'
import { type Certified, keptCertificate } from './kept-certificate.ts'

export interface TlsSettings {
  /** Where a certificate is made and kept when none is configured. */
  folder: string
  /** Files of a certificate and its key that the operator provides; null: one is made and kept. */
  own: { certFile: string; keyFile: string } | null
  /** Names and addresses of the server, besides those that it finds itself. */
  names: readonly string[]
  /** The address it listens on. */
  host: string
}

/** How often files that changed are read again, and whether the certificate ends soon, milliseconds. */
const pollInterval = 3_600_000

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Whether a certificate can hold the name: a link-local address has a zone, which is no part of a certificate. */
const isServerName = (name: string): boolean =>
  isIP(name) === 0 ? /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(name) : !/^fe80:/i.test(name)

/** Every name that a client may use for this server. */
export const serverNames = ({ names, host }: Pick<TlsSettings, 'names' | 'host'>): string[] => {
  const here = wildcards.has(host)
    ? Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
    : [host]
  const all = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    ...here,
    ...names.map((name) => (isIP(name) === 0 ? domainToASCII(name) : name)),
  ]
  return [...new Set(all)].filter((name) => isServerName(name))
}

/** @throws where the two are not a certificate and its key */
const contextOf = ({ cert, key }: Certified): SecureContext =>
  // Node.js limits how often a client may negotiate anew only in its own server, which StartTLS cannot use.
  createSecureContext({ cert, key, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION })

const day = 86_400_000
/** Days before the end of a certificate from which the log names them. */
const noticeDays = 30

/** The certificate that the server shows now. */
export interface ServerTls {
  readonly context: SecureContext
  /** Reads or makes the certificate again, and says when it ends; a connection that is there keeps the one it has. */
  refresh(now?: number): void
  close(): void
}

/**
 * Opens the server's certificate and looks after it: a file that the operator replaced is read again, and the kept one
 * is made anew in time. A new certificate that cannot be used is reported, and the one before goes on.
 */
export const openServerTls = (settings: TlsSettings, log: Logger): ServerTls => {
  const { own, folder } = settings
  const read = (now?: number): Certified =>
    own === null
      ? keptCertificate(folder, serverNames(settings), now)
      : { cert: readTextFile(own.certFile), key: readTextFile(own.keyFile) }
  let shown = read()
  let context = contextOf(shown)
  let noticed: number | null = null
  /** Once a day. The kept certificate never comes so close to its end. */
  const notice = (now = Date.now()): void => {
    const days = Math.floor((Date.parse(new X509Certificate(shown.cert).validTo) - now) / day)
    if (days >= noticeDays || days === noticed) return
    noticed = days
    log.warn({ days }, 'The certificate of the embedded directory ends soon: replace EMBEDDED_LDAP_CERT_FILE')
  }
  const refresh = (now?: number): void => {
    try {
      const found = read(now)
      if (found.cert === shown.cert && found.key === shown.key) return
      context = contextOf(found)
      shown = found
      log.info({}, 'The embedded directory shows another certificate')
    } catch (error) {
      log.error(
        { error: errorRecord(error) },
        'The embedded directory keeps its certificate: the new one cannot be used',
      )
    }
  }
  const look = (now?: number): void => {
    refresh(now)
    notice(now)
  }
  notice()
  const timer = setInterval(() => look(), pollInterval).unref()
  return {
    get context() {
      return context
    },
    refresh: look,
    close: () => clearInterval(timer),
  }
}
