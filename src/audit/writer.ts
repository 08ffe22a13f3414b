import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { type Alert, alertOf } from '../alerts/alert.ts'
import type { Db, Tx } from '../db/client.ts'
import { operationLogs } from '../db/schema.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { inTime } from '../in-time.ts'
import { errorRecord, type Logger } from '../log.ts'
import { appendEntries, type ChainEnd, doubt, holdChain } from './append.ts'
import { openCounts } from './counts.ts'
import { type LogEntry, sealedEntry, sealPaths, standInsFor } from './entry.ts'
import type { LogKeys } from './keys.ts'
import { refusalOf } from './refusal.ts'

export interface OperationLog {
  /** Takes an entry; it is written soon. Never waits, never refuses, never throws. */
  append(entry: LogEntry): void
  /**
   * Whether a change is allowed now. When entries wait, one more attempt to write them is made first. false: the
   * request must be refused; it is counted here and reported later.
   */
  admits(): boolean | Promise<boolean>
  /** Resolves when all that was appended before is written. @throws the database's error when it cannot be now */
  flush(): Promise<void>
  /** The entries that cannot be written now; null: the waiting ones are being written. */
  stuck(): Stuck | null
  /** New alerts for an administrator; each is returned once. */
  alerts(): Alert[]
  /**
   * Writes the rest, for up to `patience`; call it after the last response and before the database closes.
   * @returns what could not be written, which is also in the process's log. null: nothing is lost.
   */
  close(): Promise<Lost | null>
}

export interface Stuck {
  waiting: number
  since: Date
}

/** The entries that a stop could not write. */
export interface Lost {
  entries: number
  /** Requests that were refused and are in no entry. */
  refused: number
  since: Date
}

export interface OperationLogOptions {
  db: Db
  keys: LogKeys
  log: Logger
  /** Entries that may wait for the database; further ones are counted, and changes are refused. */
  capacity?: number
  /** Milliseconds an entry waits, so that several are written together. */
  delay?: number
  /** Milliseconds `close` keeps trying. */
  patience?: number
}

/** Entries written with one statement. */
const batchSize = 1000
/** Milliseconds between two attempts while entries cannot be written. */
const longestPause = 1000
/** Milliseconds after which entries count as stuck: after a failed attempt, and without a response of the database. */
const stuckAfter = { failure: 1000, silence: 10_000 }
/** Milliseconds a request waits for one more attempt before it is refused. */
const lastTry = 1000
/** Failed attempts in a row after which the entry itself is suspected, whatever the database's reason. */
const suspicious = 5
/** Kinds of requests that are counted while too many entries wait. */
const countedSorts = 1000
/** Alerts kept until they are taken to be raised. */
const mostAlerts = 100

/** An entry to be written: itself, or its replacement after the database refused it. */
interface Waiting {
  readonly entry: LogEntry
  /** undefined: the entry itself. */
  readonly standIns?: readonly LogEntry[]
}

/**
 * Writes entries in the order they were appended, outside of the requests. While the database is unreachable they wait
 * and the writer retries. An entry that the database refuses is found by halving its batch, and a sealed entry that
 * says so is written in its place, so that it does not block those behind it. When the database refuses the replacement
 * too, the entry is not the reason, and all of them wait.
 */
export const openOperationLog = (options: OperationLogOptions): OperationLog => {
  const { db, keys, log, capacity = 20_000, delay = 50, patience = 5000 } = options
  const queue: LogEntry[] = []
  /** Counts entries while too many wait. */
  const overflow = openCounts(countedSorts)
  /**
   * What is written next, a statement each. A piece does not change, so that a retry can see if it succeeded before.
   */
  let pieces: Waiting[][] = []
  /**
   * The place of the last entry in the last attempt: after a lost connection only the table tells whether it is there.
   */
  let attempt: { seq: number; hash: string } | null = null
  /** What that attempt found at the end of the log, reported once it is committed. */
  let found: Alert | null = null
  let underWay: Promise<void> | null = null
  let taken = 0
  let written = 0
  /** When entries were last written, or began to wait. */
  let progress = Date.now()
  /** The newest entry this process wrote: the log cannot end before it. */
  let known = 0
  let refused: { count: number; since: Date } | null = null
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let closing = false
  let told: Alert[] = []

  const waiting = (): number => taken - written

  const tell = (alert: Alert): void => {
    log.error({ cause: alert.cause }, `Operation log: ${alert.description}`)
    told = [...told.filter(({ cause }) => cause !== alert.cause), alert].slice(-mostAlerts)
  }

  const write = async (tx: Tx, piece: readonly Waiting[]): Promise<void> => {
    const end = notSetBack(await holdChain(tx, keys), known)
    if (attempt !== null && (await isThere(tx, attempt))) return
    found = alertOfEnd(end)
    attempt = await appendEntries(
      tx,
      keys,
      end,
      piece.map(({ entry, standIns }) => standIns?.[0] ?? entry),
    )
  }

  const writePiece = async (): Promise<void> => {
    if (pieces.length === 0) pieces = [queue.splice(0, batchSize).map((entry) => ({ entry }))]
    const [piece = []] = pieces
    try {
      await db.transaction((tx) => write(tx, piece))
    } catch (error) {
      if (isUnavailable(error)) throw error
      const { code, aboutEntry } = refusalOf(error)
      if (!aboutEntry && failures < suspicious) throw error
      attempt = null
      pieces.splice(0, 1, ...apart(piece, code))
      // Even the shortest replacement is refused: the entry is not the reason.
      if (pieces[0]?.[0]?.standIns === undefined && piece.length === 1) throw error
      return
    }
    pieces.shift()
    known = attempt?.seq ?? known
    attempt = null
    written += piece.length
    progress = Date.now()
    if (found !== null) tell(found)
    found = null
    for (const { entry, standIns } of piece) if (standIns) tell(alertOf('logEntryRefused', { ...entry, seq: known }))
    if (failures > 0) log.info({ waiting: waiting() }, 'Operation log: entries are written again')
    failures = 0
    catchUp()
  }

  /** Writes one piece; concurrent callers share the attempt. */
  const writeNext = (): Promise<void> => {
    underWay ??= writePiece().finally(() => {
      underWay = null
    })
    return underWay
  }

  const flush = async (): Promise<void> => {
    const upTo = taken
    while (written < upTo) await writeNext()
  }

  const schedule = (pause: number): void => {
    if (closing) return
    timer = setTimeout(async () => {
      try {
        await flush()
        timer = undefined
        if (waiting() > 0) schedule(delay)
      } catch (error) {
        failures += 1
        const details = { error: errorRecord(error), waiting: waiting() }
        if (failures === 1) log.warn(details, 'Operation log: entries cannot be written now and wait')
        else if (failures % 60 === 0) log.error(details, 'Operation log: entries still cannot be written')
        schedule(Math.min(delay * 2 ** failures, longestPause))
      }
    }, pause)
  }

  const enqueue = (entry: LogEntry): void => {
    if (waiting() === 0) progress = Date.now()
    queue.push(entry)
    taken += 1
    if (timer === undefined) schedule(delay)
  }

  const append = (entry: LogEntry): void => {
    if (waiting() < capacity) {
      enqueue(entry)
      return
    }
    const { username, method, path, status } = entry
    overflow.add(JSON.stringify([username, method, path, status]), entry)
  }

  /** Appends the counts of entries and of refusals, once there is room. */
  const catchUp = (): void => {
    if (waiting() >= capacity / 2) return
    for (const entry of overflow.take()) enqueue(entry)
    if (refused === null) return
    const { count, since } = refused
    refused = null
    enqueue(
      sealedEntry({
        path: sealPaths.refused,
        remark: `Requests refused while the operation log could not be written: ${count}`,
        status: 503,
        startTime: since,
        timeCost: Date.now() - since.getTime(),
      }),
    )
  }

  const stuck = (): Stuck | null => {
    const isLong = Date.now() - progress > (failures > 0 ? stuckAfter.failure : stuckAfter.silence)
    return waiting() > 0 && isLong ? { waiting: waiting(), since: new Date(progress) } : null
  }

  const isOpen = (): boolean => waiting() < capacity && stuck() === null

  const tryOnce = async (): Promise<boolean> => {
    await inTime(
      lastTry,
      flush().catch(() => {}),
      () => {},
    )
    if (isOpen()) return true
    refused ??= { count: 0, since: new Date() }
    refused.count += 1
    return false
  }

  const writeRest = async (until: number): Promise<void> => {
    while (waiting() > 0 && Date.now() < until) await flush().catch(() => sleep(100))
  }

  return {
    append,
    admits: () => isOpen() || tryOnce(),
    flush,
    stuck,
    alerts: () => told.splice(0),
    async close() {
      closing = true
      clearTimeout(timer)
      const since = new Date(progress)
      for (const entry of overflow.take()) enqueue(entry)
      await inTime(patience, writeRest(Date.now() + patience), () => {})
      if (waiting() === 0) return null
      log.error({ lost: waiting() }, 'Operation log: these entries could not be written')
      return { entries: waiting(), refused: refused?.count ?? 0, since }
    },
  }
}

/**
 * The pieces of a refused piece: its halves; for a single entry its replacements, one after the other, and then itself.
 */
const apart = (piece: readonly Waiting[], code: string): Waiting[][] => {
  const [first] = piece
  if (first === undefined) return []
  if (piece.length > 1) {
    const middle = Math.ceil(piece.length / 2)
    return [piece.slice(0, middle), piece.slice(middle)]
  }
  const { entry, standIns } = first
  const left = standIns === undefined ? standInsFor(entry, code) : standIns.slice(1)
  return [[left.length === 0 ? { entry } : { entry, standIns: left }]]
}

const alertOfEnd = ({ doubt, keyReplaced, head: { seq: after } }: ChainEnd): Alert | null => {
  if (doubt !== null) return alertOf('logEndChanged', { remark: doubt.remark, after })
  return keyReplaced ? alertOf('logKeyReplaced', { after }) : null
}

const isThere = async (tx: Tx, { seq, hash }: { seq: number; hash: string }): Promise<boolean> => {
  const rows = await tx
    .select({ seq: operationLogs.seq })
    .from(operationLogs)
    .where(and(eq(operationLogs.seq, seq), eq(operationLogs.hash, hash)))
  return rows.length > 0
}

const notSetBack = (end: ChainEnd, known: number): ChainEnd =>
  end.doubt !== null || end.head.seq >= known
    ? end
    : { ...end, doubt: doubt(`The log ended at ${end.head.seq} although it had reached ${known}`) }
