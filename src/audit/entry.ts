import { currentTime } from '../runtime/clock.ts'
/** An answered request, or a sealed entry, before it has its place in the chain. */
export interface LogEntry {
  /** The caller; empty where they are unknown. */
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
  /** How many requests it counts: 1, except in a burst; see counts.ts. */
  times: number
  /** The request only asked what would be changed. */
  preview: boolean
}

/**
 * The method of entries that the log writes about itself. HTTP has no such method and Node's parser refuses it, so
 * that no request can look like one.
 */
export const sealMethod = 'SEAL'

/** The subjects of sealed entries. */
export const sealPaths = {
  /** An administrator deleted the entries in `target`. */
  delete: '/log/operation/delete',
  /** An administrator deleted all entries before this one. */
  clean: '/log/operation/clean',
  /** The end of the log could not be verified: the entries before may be incomplete. */
  doubt: '/log/operation/doubt',
  /** Requests were refused because the log could not be written. */
  refused: '/log/operation/refused',
  /** Takes the place of an entry that the database refused. */
  unstorable: '/log/operation/unstorable',
  /** Entries were lost at a stop, or may have been lost when a process crashed. */
  lost: '/log/operation/lost',
  /** The entries in `target`, from the first to the last, were removed because they were older than LOG_RETENTION. */
  cut: '/log/operation/cut',
} as const

type Seal = Pick<LogEntry, 'remark' | 'status'> &
  Partial<LogEntry> & { path: (typeof sealPaths)[keyof typeof sealPaths] }

/** An entry of the log about itself. */
export const sealedEntry = (seal: Seal): LogEntry => ({
  username: '',
  ip: '',
  method: sealMethod,
  startTime: new Date(currentTime()),
  timeCost: 0,
  userAgent: '',
  target: [],
  times: 1,
  preview: false,
  ...seal,
})

/** Characters that PostgreSQL cannot store (NUL, lone surrogates), and those that could forge lines on a terminal. */
const unprintable = /[\p{Control}\p{Surrogate}]/gu

/** The longest part of a text whose length a caller chose. */
const bounded = (text: unknown, length: number): string =>
  typeof text === 'string' ? text.slice(0, length).replace(unprintable, '\u{fffd}') : ''

const largestInteger = 2 ** 31 - 1

const whole = (value: unknown, smallest: number): number =>
  typeof value === 'number' && !Number.isNaN(value)
    ? Math.min(Math.max(Math.round(value), smallest), largestInteger)
    : Math.max(smallest, 0)

/** Years that ISO 8601 and PostgreSQL write alike. */
const instant = (value: unknown): Date =>
  value instanceof Date && value.getTime() >= 0 && value.getTime() < Date.UTC(9999, 0) ? value : new Date(currentTime())

/**
 * The entry in a form that can always be stored, whatever a caller or a defect put into it: the types of input from the
 * network hold only as far as it was validated.
 */
export const storable = (entry: LogEntry): LogEntry => ({
  username: bounded(entry.username, 255),
  ip: bounded(entry.ip, 64),
  method: bounded(entry.method, 20),
  path: bounded(entry.path, 255),
  remark: bounded(entry.remark, 1000),
  status: whole(entry.status, -largestInteger),
  startTime: instant(entry.startTime),
  timeCost: whole(entry.timeCost, 0),
  userAgent: bounded(entry.userAgent, 255),
  target: Array.isArray(entry.target) ? entry.target.filter((id) => Number.isSafeInteger(id)) : [],
  times: whole(entry.times, 1),
  preview: entry.preview === true,
})

/** The entries that may replace one that the database refused, each with fewer details than the one before. */
export const standInsFor = (entry: LogEntry, code: string): readonly LogEntry[] => {
  const { username, ip, method, path, status, startTime, times } = storable(entry)
  const plain = (text: string): string => text.replace(/[^\w@.:/{}-]/g, '?').slice(0, 100)
  const seal = { path: sealPaths.unstorable, status: 500, startTime, times }
  const what = `An entry could not be stored (${plain(code)})`
  return [
    sealedEntry({
      ...seal,
      remark: `${what}: ${plain(method)} ${plain(path)} ${status} of ${plain(username)} ${plain(ip)}`,
    }),
    sealedEntry({ ...seal, remark: what }),
  ]
}
