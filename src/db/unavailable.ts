import { causesOf, codeOf } from '../failures/caught-error.ts'
import { isTlsCode } from './connection-failure.ts'

/**
 * Whether an error says that the connection failed or has ended. The server sends FATAL then, whatever the reason: a
 * wrong password, a database that accepts no connections or was dropped, too many connections, starting up, shutting
 * down. Looks through the causes.
 */
export const isConnectionLost = (error: unknown): boolean =>
  anyOf(
    error,
    (code, severity) =>
      driverCodes.has(code) || severity === 'FATAL' || severity === 'PANIC' || lost.test(code) || isTlsCode(code),
  )

/**
 * Whether an error says that the database cannot work now, not that it refused the query: the same request may succeed
 * later.
 */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || anyOf(error, (code) => exhausted.test(code))

/**
 * Whether the server ended the statement, or its wait for a lock, by a limit that an administrator set (query_canceled,
 * lock_not_available). The same request may succeed when the server has less to do.
 */
export const isEndedByLimit = (error: unknown): boolean => anyOf(error, (code) => code === '57014' || code === '55P03')

const anyOf = (error: unknown, holds: (code: string, severity: unknown) => boolean): boolean => {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    // `severity` is the untranslated word (field V); the translated one is in `severity_local`.
    if (code !== undefined && holds(code, Reflect.get(cause, 'severity'))) return true
  }
  return false
}

const driverCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the Unix socket of a server that is not up
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'NO_PRIMARY', // see primary.ts
])

/** Class 08 (connection), 57P01…57P05 (shutdown, crash, starting, dropped, idle). */
const lost = /^(08\w{3}|57P0[1-5])$/

/** Class 53 (no disk, memory or connections left); 25006: the server is read-only, as a standby is. */
const exhausted = /^(53\w{3}|25006)$/
