/** What one client, or all of them, may ask of the server. Times are milliseconds. */
export interface Limits {
  /** Bytes of one message: before a bind, after it, and of the root DN. A connection has no more than that under way. */
  anonymousMessage: number
  message: number
  rootMessage: number
  /** Bytes of requests under way on all connections that are bound as one name; more are answered with busy. */
  requestsOfOne: number
  /** Connections at one time; beyond it the oldest that is not bound makes room, or else the newest is closed. */
  connections: number
  /** Connections that are bound as one name. */
  connectionsOfOne: number
  /** Operations of one connection under way; it is read no further until one ends. */
  pendingOperations: number
  /** Paged searches that rest between pages: of one connection, and of one name. */
  openPages: number
  openPagesOfOne: number
  /** Comparisons of one search (or page), which are about entries times parts of its filter; the root DN may make any. */
  searchWork: number
  /** Wrong passwords on one connection, after which it is closed. */
  failedBinds: number
  /** Password checks at one time: of all connections, for one name, and how many wait for one name. */
  passwordChecks: number
  passwordChecksOfOne: number
  passwordChecksWaiting: number
  /** A connection on which nothing happens: not bound, and bound. */
  unboundIdle: number
  idle: number
  /** A message that does not become complete, or an answer that is not read. */
  stalled: number
}

export const defaultLimits: Limits = {
  anonymousMessage: 256 * 2 ** 10,
  message: 512 * 2 ** 10,
  rootMessage: 4 * 2 ** 20,
  requestsOfOne: 4 * 2 ** 20,
  connections: 256,
  connectionsOfOne: 64,
  pendingOperations: 100,
  openPages: 8,
  openPagesOfOne: 64,
  searchWork: 10_000_000,
  failedBinds: 20,
  passwordChecks: 2,
  passwordChecksOfOne: 1,
  passwordChecksWaiting: 20,
  unboundIdle: 60_000,
  idle: 60 * 60_000,
  stalled: 30_000,
}
