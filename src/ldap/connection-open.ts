import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import { BindRequest, ExtendedRequest } from 'ldapts'
import { messageOf } from '../failures/caught-error.ts'
import type { Statement } from '../failures/statement.ts'
import { type Connection, createConnection } from './connection.ts'
import { DirectoryError } from './directory-error.ts'
import { describeOutcome, type Outcome, resultCodes } from './result-code.ts'
import { statements } from './statements.ts'

export interface ConnectionOptions {
  /** ldap://host[:port], ldaps://host[:port], or ldapi://path with every slash of the Unix socket's path as %2F */
  url: string
  bindDn: string
  bindPassword: string
  /** The names of the two settings above, for errors; default LDAP_BIND_DN/LDAP_BIND_PASSWORD. */
  credentials?: string
  /** PEM text of the authorities to trust, as it is now; null: the ones the system trusts. */
  ca: (() => string) | null
  /** Start TLS before any other request (RFC 4511 section 4.14); only with ldap://. */
  startTls: boolean
  /** Milliseconds for one operation. */
  timeout: number
  /** Milliseconds until connected, encrypted and signed in; default 5000. */
  connectTimeout?: number
}

const startTlsOid = '1.3.6.1.4.1.1466.20037'

/**
 * Connects, starts TLS where requested, and binds. The connection is returned only when all of it is done.
 * @throws DirectoryError `unavailable`; with `code` where the directory refused the bind
 */
export const openConnection = async (options: ConnectionOptions): Promise<Connection> => {
  const { timeout, connectTimeout = 5000 } = options
  const { host, port, secure, path } = endpoint(options.url)
  const identity: TlsOptions = {
    // `host` is what the certificate is checked against; a server name may not be an address (RFC 6066 section 3).
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(options.ca !== null && { ca: options.ca() }),
  }
  let socket: Socket = secure ? connectTls({ ...identity, port }) : connect(path === null ? { host, port } : { path })
  const deadline = setTimeout(
    () => socket.destroy(new Error(`no connection within ${connectTimeout} ms`)),
    connectTimeout,
  )
  try {
    await once(socket, secure ? 'secureConnect' : 'connect')
    socket.setNoDelay(true).setKeepAlive(true, 60_000)
    let connection = createConnection(socket, timeout)
    if (options.startTls) {
      const answer = await connection.request((messageId) => new ExtendedRequest({ messageId, oid: startTlsOid }))
      if (answer.code !== resultCodes.success) throw new Error(`StartTLS was refused: ${describeOutcome(answer)}`)
      connection.release()
      const plain = socket
      socket = connectTls({ ...identity, socket: plain }).once('close', () => plain.destroy())
      await once(socket, 'secureConnect')
      connection = createConnection(socket, timeout)
    }
    const { bindDn: dn, bindPassword: password } = options
    // An empty password would be an anonymous bind that succeeds (RFC 4513 section 5.1.2).
    if (password === '') throw new Error('the password to sign in with is empty')
    const answer = await connection.request((messageId) => new BindRequest({ messageId, dn, password }))
    if (answer.code !== resultCodes.success) throw signInError(answer, options.credentials)
    return connection
  } catch (error) {
    socket.on('error', () => {}).destroy()
    throw error instanceof DirectoryError && error.code !== null
      ? error
      : new DirectoryError(
          'unavailable',
          statements.no_connection({ server: path ?? `${host}:${port}`, problem: problemOf(error) }),
          {
            cause: error,
          },
        )
  } finally {
    clearTimeout(deadline)
  }
}

interface Endpoint {
  host: string
  port: number
  secure: boolean
  /** Of a Unix socket, in place of host and port. */
  path: string | null
}

const endpoint = (url: string): Endpoint => {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'ldaps:'
  return {
    host: hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: port === '' ? (secure ? 636 : 389) : Number(port),
    secure,
    path: protocol === 'ldapi:' ? decodeURIComponent(hostname) : null,
  }
}

const signInError = (outcome: Outcome, credentials = 'LDAP_BIND_DN/LDAP_BIND_PASSWORD'): DirectoryError =>
  new DirectoryError(
    'unavailable',
    outcome.code === resultCodes.invalidCredentials
      ? statements.credentials_refused({ settings: credentials, outcome: describeOutcome(outcome) })
      : statements.sign_in_refused({ outcome: describeOutcome(outcome) }),
    { code: outcome.code, answered: false },
  )

const problemOf = (error: unknown): Statement | string =>
  error instanceof DirectoryError ? error.stated : reasonOf(error)

/** A host with several addresses fails with an AggregateError whose own message is empty. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ')
  return messageOf(error)
}
