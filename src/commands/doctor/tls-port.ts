import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Milliseconds that a server has to take a connection, and to begin TLS. */
const timeout = 3000

/**
 * Whether the URL of a directory has the wrong one of ldap:// and ldaps:// for its port.
 * @returns a clause that says so; null: that is not what is wrong
 */
export const schemeMisfit = async (url: string): Promise<string | null> => {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'ldapi:') return null
  const host = hostname.replace(/^\[|\]$/g, '') || 'localhost'
  const place = { host, port: Number(port) || (protocol === 'ldaps:' ? 636 : 389) }
  /** null: there was no answer, neither this nor a refusal. */
  const reached = (socket: Socket, event: string): Promise<boolean | null> => {
    const signal = AbortSignal.timeout(timeout)
    return once(socket, event, { signal })
      .then(
        () => true,
        () => (signal.aborted ? null : false),
      )
      .finally(() => socket.on('error', () => {}).destroy())
  }
  if (!(await reached(connect(place), 'connect'))) return null
  // Nothing is sent over it: the question is whether there is TLS at all, whatever the certificate.
  const hasTls = await reached(connectTls({ ...place, rejectUnauthorized: false }), 'secureConnect')
  if (hasTls === null) return null
  if (protocol === 'ldaps:' && !hasTls) return 'this port does not begin with TLS, as ldaps:// does'
  if (protocol === 'ldap:' && hasTls) return 'this port begins with TLS, as ldap:// does not'
  return null
}
