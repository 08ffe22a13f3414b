/** An answered request, or a sealed entry, before it has its place in the chain. */
export interface LogEntry {
  /** Who called; empty where nobody is known. */
  username: string
  ip: string
  method: string
  /** Relative to `/api`, as permission entries write it; never with a query. */
  path: string
  /** The operation's summary. */
  remark: string
  /** The envelope's code. */
  status: number
  startTime: Date
  /** Milliseconds. */
  timeCost: number
  userAgent: string
  /** Ids of the records the request touched. */
  target: readonly number[]
}

/**
 * The method of entries that the log writes about itself. HTTP has no such method and Node's parser refuses it, so
 * that no request can look like one.
 */
export const sealMethod = 'SEAL'

/** What sealed entries are about. */
export const sealPaths = {
  /** Somebody deleted the entries in `target`. */
  delete: '/log/operation/delete',
  /** Somebody deleted all entries before this one. */
  clean: '/log/operation/clean',
  /** The log found its own end in doubt: what comes before may not be all. */
  doubt: '/log/operation/doubt',
  /** Requests were refused because the log could not be written. */
  refused: '/log/operation/refused',
} as const

type Seal = Pick<LogEntry, 'remark' | 'status'> &
  Partial<LogEntry> & { path: (typeof sealPaths)[keyof typeof sealPaths] }

/** An entry that the log writes about itself. */
export const sealedEntry = (seal: Seal): LogEntry => ({
  username: '',
  ip: '',
  method: sealMethod,
  startTime: new Date(),
  timeCost: 0,
  userAgent: '',
  target: [],
  ...seal,
})

/** What PostgreSQL cannot hold (NUL, lone surrogates), and what would forge lines on a terminal. */
const unprintable = /[\p{Control}\p{Surrogate}]/gu

/** Characters of a text that a caller chose, and so its length. */
const bounded = (text: string, length: number): string => text.slice(0, length).replace(unprintable, '\u{fffd}')

const largestInteger = 2 ** 31 - 1

/** The entry as it can always be stored: one that cannot would hold up all that come after it. */
export const storable = (entry: LogEntry): LogEntry => ({
  username: bounded(entry.username, 255),
  ip: bounded(entry.ip, 64),
  method: bounded(entry.method, 20),
  path: bounded(entry.path, 255),
  remark: bounded(entry.remark, 1000),
  status: Math.trunc(entry.status),
  startTime: entry.startTime,
  timeCost: Math.min(Math.max(Math.round(entry.timeCost), 0), largestInteger),
  userAgent: bounded(entry.userAgent, 255),
  target: entry.target.filter((id) => Number.isSafeInteger(id)),
})
