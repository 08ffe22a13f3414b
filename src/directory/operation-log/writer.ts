import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { operationLogs } from '../../db/schema.ts'
import { errorRecord, type Logger } from '../../log.ts'
import { appendEntries, type ChainEnd, doubt, holdChain } from './append.ts'
import { type LogEntry, sealedEntry, sealPaths } from './entry.ts'
import type { LogKeys } from './keys.ts'

export interface OperationLog {
  /** Takes an entry; it is written within moments. Never waits and never refuses: ask `accepts` before the work. */
  append(entry: LogEntry): void
  /** Whether more may be done. When not, the request is to be refused: it is counted here and told later. */
  accepts(): boolean
  /** Resolves when all that was appended before is written. @throws the database's error when it cannot be now */
  flush(): Promise<void>
  /**
   * Writes what is left, trying for `patience`; call it after the last request was answered and before the database
   * closes. What cannot be written is told in the process's log.
   */
  close(): Promise<void>
}

export interface OperationLogOptions {
  db: Db
  keys: LogKeys
  log: Logger
  /** Entries that may wait for the database before requests are refused. */
  capacity?: number
  /** Milliseconds an entry waits for others to be written with. */
  delay?: number
  /** Milliseconds `close` goes on trying. */
  patience?: number
}

/** Entries written with one statement. */
const batchSize = 1000
/** Milliseconds between two tries while the database is away. */
const longestPause = 5000

/**
 * Writes entries in the order they were appended, off the requests' path. While the database is away they wait here and
 * the writer tries again and again; when `capacity` of them wait, requests are refused: what cannot be written down
 * must not be done. Entries are lost only with a process that is killed, those of its last moments.
 */
export const openOperationLog = (options: OperationLogOptions): OperationLog => {
  const { db, keys, log, capacity = 20_000, delay = 50, patience = 5000 } = options
  const queue: LogEntry[] = []
  /** The entries being written. They stay together, so that a try can find that the one before it succeeded. */
  let batch: LogEntry[] = []
  /** Where the last try put the batch's last entry: after a lost connection only the table knows whether it is there. */
  let attempt: { seq: number; hash: string } | null = null
  let underWay: Promise<void> | null = null
  let taken = 0
  let written = 0
  /** The newest entry this process wrote: the log cannot end before it. */
  let known = 0
  let refused: { count: number; since: Date } | null = null
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let closing = false

  const waiting = (): number => taken - written

  const writeBatch = async (): Promise<void> => {
    if (batch.length === 0) batch = queue.splice(0, batchSize)
    await db.transaction(async (tx) => {
      const end = notSetBack(await holdChain(tx, keys), known)
      if (attempt !== null && (await isThere(tx, attempt))) return
      if (end.doubt !== null) log.error({ after: end.head.seq }, `Operation log: ${end.doubt.remark}`)
      attempt = await appendEntries(tx, keys, end, batch)
    })
    known = attempt?.seq ?? known
    written += batch.length
    batch = []
    attempt = null
    if (failures > 0) log.info({ waiting: waiting() }, 'Operation log: entries are written again')
    failures = 0
    tellRefused()
  }

  /** Writes one batch, or joins the one that is being written. */
  const writeNext = (): Promise<void> => {
    underWay ??= writeBatch().finally(() => {
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
        else if (failures % 20 === 0) log.error(details, 'Operation log: entries still cannot be written')
        schedule(Math.min(delay * 2 ** failures, longestPause))
      }
    }, pause)
  }

  const append = (entry: LogEntry): void => {
    queue.push(entry)
    taken += 1
    if (timer === undefined) schedule(delay)
  }

  const tellRefused = (): void => {
    if (refused === null) return
    const { count, since } = refused
    refused = null
    append(
      sealedEntry({
        path: sealPaths.refused,
        remark: `Requests refused while the operation log could not be written: ${count}`,
        status: 503,
        startTime: since,
        timeCost: Date.now() - since.getTime(),
      }),
    )
  }

  const writeRest = async (until: number): Promise<void> => {
    while (waiting() > 0 && Date.now() < until) await flush().catch(() => sleep(100))
  }

  return {
    append,
    accepts() {
      if (waiting() < capacity) return true
      refused ??= { count: 0, since: new Date() }
      refused.count += 1
      return false
    },
    flush,
    async close() {
      closing = true
      clearTimeout(timer)
      const written = new AbortController()
      const outOfPatience = sleep(patience, undefined, { signal: written.signal }).catch(() => {})
      await Promise.race([writeRest(Date.now() + patience), outOfPatience])
      written.abort()
      if (waiting() > 0) log.error({ lost: waiting() }, 'Operation log: these entries could not be written')
    },
  }
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
