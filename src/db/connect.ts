import postgres, { type Options, type Sql } from 'postgres'
import { hostOf, tlsOf } from './tls.ts'

type None = Record<string, never>

export interface ConnectOptions extends Options<None> {
  /** Where the connections go in truth, where they get their sockets: names and addresses. */
  hosts?: readonly string[]
}

/**
 * A client of the driver for a URL with one host.
 * @throws Error where what the URL says of TLS is wrong, or a file of it cannot be read
 */
export const connectServer = (url: string, { hosts, ...options }: ConnectOptions): Sql => {
  const { url: plain, ssl } = tlsOf(url, hosts)
  const place = new URL(plain)
  const host = hostOf(place)
  return postgres(plain, {
    ...options,
    ...(ssl !== undefined && { ssl }),
    // The driver takes the colons of an address for the one before a port.
    ...(host.includes(':') && { host: [host], port: [Number(place.port || 5432)] }),
  } as Options<None>)
}

/**
 * A client that ends with its connection, where the driver would open another one for the next query: what holds locks of its
 * session, and has set something for it, must not go on without these.
 * @param open makes a client of one connection, which tells when that is closed
 */
export const connectOnce = (open: (onclose: () => void) => Sql): Sql => {
  const sql: Sql = open(() => void sql.end({ timeout: 0 }))
  return sql
}
