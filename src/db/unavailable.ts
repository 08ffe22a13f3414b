/**
 * Whether an error says that the database could not be reached or went away, rather than that it refused the query:
 * the same request may succeed later. Looks through `cause` (DrizzleQueryError).
 */
export const isUnavailable = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (typeof code === 'string' && (driverCodes.has(code) || sqlStates.test(code))) return true
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
])

/** Class 08 (connection), 53300 (too many connections), 57P01…57P05 (shutdown, crash, starting, dropped, idle). */
const sqlStates = /^(08\w{3}|53300|57P0[1-5])$/
