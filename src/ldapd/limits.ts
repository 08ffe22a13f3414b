/** What one client, or all of them, may ask of the server. Times are milliseconds. */
export interface Limits {
  /** Bytes of one message; before a bind, and after it. */
  anonymousMessage: number
  message: number
  /** Connections at one time; more are closed at once. */
  connections: number
  /** Operations of one connection under way; it is read no further until one ends. */
  pendingOperations: number
  /** Paged searches of one connection that rest between pages. */
  openPages: number
  /** Wrong passwords on one connection, after which it is closed. */
  failedBinds: number
  /** Password checks at one time, of all connections. */
  passwordChecks: number
  /** A connection on which nothing happens. */
  idle: number
  /** A message that does not become complete, or an answer that is not read. */
  stalled: number
}

export const defaultLimits: Limits = {
  anonymousMessage: 256 * 2 ** 10,
  message: 4 * 2 ** 20,
  connections: 256,
  pendingOperations: 100,
  openPages: 8,
  failedBinds: 20,
  passwordChecks: 2,
  idle: 60 * 60_000,
  stalled: 30_000,
}
