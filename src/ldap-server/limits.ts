/** The limits of one client, and of all clients together. Times are milliseconds. */
export interface Limits {
  /** Bytes of one message: before a bind, after it, and of the root DN. Also the bytes a connection has in progress. */
  anonymousMessage: number
  message: number
  rootMessage: number
  /** Bytes of requests in progress on all connections bound as one name; further requests are answered with busy. */
  requestsOfOne: number
  /** Connections at one time; above it the oldest anonymous one is closed, or else the newest. */
  connections: number
  /** Connections that are bound as one name. */
  connectionsOfOne: number
  /** Operations of one connection in progress, and of one of the root DN; no more are read until one ends. */
  pendingOperations: number
  rootPendingOperations: number
  /** Paged searches suspended between pages: of one connection, and of one name. */
  openPages: number
  openPagesOfOne: number
  /** Comparisons of one search (or page), about entries × parts of its filter; the root DN has no limit. */
  searchWork: number
  /** Entries that one search answers without paging, and that one page may have; the root DN has no limit. */
  entries: number
  /** Entries that one search may sort; the root DN has no limit. */
  sortedEntries: number
  /** Searches that are sorted at one time: of all connections, for one name, and how many wait for one name. */
  sorts: number
  sortsOfOne: number
  sortsWaiting: number
  /** Wrong passwords on one connection before it is closed. */
  failedBinds: number
  /** Password checks at one time: of all connections, for one name, and how many wait for one name. */
  passwordChecks: number
  passwordChecksOfOne: number
  passwordChecksWaiting: number
  /** How long a connection may be idle: anonymous, and bound. */
  unboundIdle: number
  idle: number
  /** How long a message may stay incomplete, or a response unread. */
  stalled: number
}

export const defaultLimits: Limits = {
  anonymousMessage: 16 * 2 ** 10,
  message: 512 * 2 ** 10,
  rootMessage: 4 * 2 ** 20,
  requestsOfOne: 4 * 2 ** 20,
  connections: 256,
  connectionsOfOne: 64,
  pendingOperations: 16,
  rootPendingOperations: 100,
  openPages: 8,
  openPagesOfOne: 64,
  searchWork: 10_000_000,
  entries: 50_000,
  sortedEntries: 50_000,
  sorts: 4,
  sortsOfOne: 2,
  sortsWaiting: 100,
  failedBinds: 20,
  passwordChecks: 2,
  passwordChecksOfOne: 1,
  passwordChecksWaiting: 20,
  unboundIdle: 60_000,
  idle: 60 * 60_000,
  stalled: 30_000,
}
