import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { eq, inArray, ne, sql } from 'drizzle-orm'
import { type Alert, alertOf } from '../alerts/alert.ts'
import { inTime } from '../concurrency/in-time.ts'
import type { Db, Queryable, Tx } from '../db/client.ts'
import { facts, operationLogWriters } from '../db/schema.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import { appendEntries, holdChain } from './append.ts'
import { sealedEntry, sealPaths } from './entry.ts'
import type { LogKeys } from './keys.ts'
import { type LossNote, readLossNotes, removeLossNote, writeLossNote } from './loss-notes.ts'
import type { Lost } from './writer.ts'

/** Seconds without a heartbeat after which a process counts as gone. */
const silence = 60
/** Milliseconds between heartbeats: the interval at which `look` must be called. */
export const pollInterval = 10_000
/**
 * Milliseconds between two heartbeats of our own above which the silence of others tells nothing: the database was
 * down.
 */
const gap = 3 * pollInterval
/** Milliseconds a start, a heartbeat and a stop wait for the log: another instance that hangs may hold its end. */
const timeout = 2000

export interface Presence {
  /** Sends a heartbeat, and reports processes that no longer send any. */
  look(): Promise<void>
  /** Ends the presence; at a stop, after the log is closed. Losses are reported at the next start. */
  end(lost: Lost | null): Promise<void>
}

export interface PresenceOptions {
  db: Db
  keys: LogKeys
  dataDir: string
  /** No other process can use this database: it is the embedded one. */
  alone: boolean
  /** Raises alerts in the transaction that writes the sealed entries. */
  raise: (tx: Tx, alerts: readonly Alert[]) => Promise<unknown>
  log: Logger
}

/** The ids of this process: it is alive whatever the database says. */
const here = new Set<string>()

/**
 * Reports every process that wrote the log and ended without a stop, or whose stop lost entries, by a sealed entry and
 * an alert: at the start if the process is known to be gone, or else a minute after its last heartbeat.
 */
export const openPresence = async (options: PresenceOptions): Promise<Presence> => {
  const { db, dataDir, alone, log } = options
  const id = randomUUID()
  const place = placeOfProcess()
  let lastHeartbeat = Number.NEGATIVE_INFINITY

  const sendHeartbeat = async (): Promise<void> => {
    await db
      .insert(operationLogWriters)
      .values({ id, host: place, pid: process.pid })
      .onConflictDoUpdate({ target: operationLogWriters.id, set: { seenAt: sql`now()` } })
    lastHeartbeat = performance.now()
  }

  const findAndReport = async (believeSilence: boolean): Promise<void> => {
    const others = await readWriters(db, id)
    const gone = others.filter((other) => isGone(other, { alone, place, believeSilence }))
    const notes = readLossNotes(dataDir)
    if (gone.length > 0 || notes.length > 0) await report(options, gone, notes)
  }
  let reporting: Promise<void> | null = null
  /**
   * If it takes longer than `timeout` it continues, and is not started twice.
   * @throws the database's error within `timeout`
   */
  const reportGone = (believeSilence: boolean): Promise<unknown> => {
    reporting ??= findAndReport(believeSilence).finally(() => {
      reporting = null
    })
    return withinTimeout(reporting)
  }

  // Before its row can be seen: another log that is opened in this process would take it for an earlier process.
  here.add(id)
  await sendHeartbeat().catch((error: unknown) => {
    here.delete(id)
    throw error
  })
  // A log that cannot be written now must not prevent a start: the report is repeated later.
  await reportGone(false).catch((error: unknown) =>
    log.error({ error: errorRecord(error) }, 'Operation log: how earlier processes ended cannot be told now'),
  )

  return {
    async look() {
      const believeSilence = performance.now() - lastHeartbeat < gap
      await sendHeartbeat()
      await reportGone(believeSilence)
    },

    async end(lost) {
      here.delete(id)
      if (lost !== null) {
        // The row stays as well: the folder may not outlive the process.
        writeLossNote(dataDir, { id, ...lost }, log)
        return
      }
      const removed = db.delete(operationLogWriters).where(eq(operationLogWriters.id, id))
      await withinTimeout(removed).catch((error: unknown) =>
        log.warn({ error: errorRecord(error) }, 'Operation log: the stop was not noted'),
      )
    },
  }
}

const withinTimeout = (work: PromiseLike<unknown>): Promise<unknown> => inTime(timeout, work, () => {})

/** Losses without a log entry yet: stops that lost entries, and processes that ended without one. */
export const unreportedLosses = async (
  db: Queryable,
  { dataDir, alone }: Pick<PresenceOptions, 'dataDir' | 'alone'>,
): Promise<string[]> => {
  const notes = await unreportedOf(db, readLossNotes(dataDir))
  const noted = new Set(notes.map(({ id }) => id))
  const gone = (await readWriters(db)).filter(
    (writer) => !noted.has(writer.id) && isGone(writer, { alone, place: placeOfProcess(), believeSilence: true }),
  )
  return [...notes.map(lossText), ...gone.map(goneText)]
}

interface Writer {
  id: string
  host: string
  pid: number
  seenAt: Date
  silent: boolean
}

const readWriters = (db: Queryable, except = '00000000-0000-0000-0000-000000000000'): Promise<Writer[]> => {
  const { id, host, pid, seenAt } = operationLogWriters
  const silent = sql<boolean>`${seenAt} < now() - make_interval(secs => ${silence})`
  return db.select({ id, host, pid, seenAt, silent }).from(operationLogWriters).where(ne(id, except)).orderBy(id)
}

const isGone = (
  { id, host, pid, silent }: Writer,
  { alone, place, believeSilence }: { alone: boolean; place: string; believeSilence: boolean },
): boolean => {
  if (here.has(id)) return false
  return alone || (host === place && !isRunning(pid)) || (believeSilence && silent)
}

/** Only for processes of the same host and container. One with our own number is an earlier process. */
const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'EPERM'
  }
}

/**
 * Where process numbers mean the same: the host, since it was started, and in it the container. Hosts can have the same
 * name, and the number of their first namespace is the same on all of them; the id of the boot is not.
 */
const placeOfProcess = (): string =>
  [
    hostname(),
    read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    read(() => readlinkSync('/proc/self/ns/pid')),
  ]
    .filter((part) => part !== '')
    .join(' ')

/** Empty where the system does not have it. */
const read = (part: () => string): string => {
  try {
    return part()
  } catch {
    return ''
  }
}

const report = (
  { db, keys, dataDir, raise, log }: PresenceOptions,
  gone: readonly Writer[],
  found: readonly LossNote[],
): Promise<void> => {
  const noted = new Set(found.map(({ id }) => id))
  const ids = [...gone.map(({ id }) => id), ...noted]
  return db
    .transaction(async (tx) => {
      const end = await holdChain(tx, keys)
      const notes = await claimNotes(tx, found)
      // Another instance may have reported them meanwhile.
      const removed = await tx
        .delete(operationLogWriters)
        .where(inArray(operationLogWriters.id, ids))
        .returning({ id: operationLogWriters.id })
      const left = new Set(removed.map(({ id }) => id))
      const unreported = gone.filter(({ id }) => left.has(id) && !noted.has(id))
      if (notes.length + unreported.length === 0) return
      const texts = [...notes.map(lossText), ...unreported.map(goneText)]
      const seals = texts.map((remark) => sealedEntry({ path: sealPaths.lost, remark, status: 500 }))
      await appendEntries(tx, keys, end, seals)
      await raise(tx, [
        ...notes.map((note) => alertOf('logLost', { ...note, message: lossText(note) })),
        ...unreported.map((writer) =>
          alertOf('endedWithoutStop', { ...writer, host: hostOf(writer), message: goneText(writer) }),
        ),
      ])
      for (const text of texts) log.error({}, `Operation log: ${text}`)
    })
    .then(() => {
      for (const note of found) removeLossNote(dataDir, note, log)
    })
}

/**
 * The notes that are to be reported in this transaction: another instance with the same DATA_DIR may have found the same
 * files, and removes them only after its commit.
 */
const claimNotes = async (tx: Tx, found: readonly LossNote[]): Promise<LossNote[]> => {
  if (found.length === 0) return []
  const claimed = await tx
    .insert(facts)
    .values(found.map((note) => ({ name: reportedName(note), value: true })))
    .onConflictDoNothing()
    .returning({ name: facts.name })
  const names = new Set(claimed.map(({ name }) => name))
  return found.filter((note) => names.has(reportedName(note)))
}

/** Without those whose file could not be removed. */
const unreportedOf = async (db: Queryable, notes: readonly LossNote[]): Promise<LossNote[]> => {
  if (notes.length === 0) return []
  const rows = await db
    .select({ name: facts.name })
    .from(facts)
    .where(inArray(facts.name, notes.map(reportedName)))
  const reported = new Set(rows.map(({ name }) => name))
  return notes.filter((note) => !reported.has(reportedName(note)))
}

const reportedName = ({ id }: LossNote): string => `operation log loss told ${id}`

const lossText = ({ entries, refused, since, at }: LossNote): string =>
  `${entries ?? 'An unknown number of'} entries were lost at a stop${at && ` at ${at}`}: they could not be written${since && ` since ${since}`}${refused ? `; ${refused} requests had been refused meanwhile` : ''}`

const hostOf = ({ host }: Writer): string => host.split(' ', 1)[0] ?? ''

const goneText = (writer: Writer): string => {
  const { pid, seenAt } = writer
  return `The service (process ${pid} on ${hostOf(writer)}) ended without a stop after ${seenAt.toISOString()}: entries of its last moments may be missing`
}
