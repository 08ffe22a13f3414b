import { setTimeout as sleep } from 'node:timers/promises'
import type { Alert } from '../alerts/alert.ts'
import { inTime } from '../concurrency/in-time.ts'
import type { Db } from '../db/client.ts'
import type { Lack } from '../db/lack.ts'
import { steadyTime } from '../runtime/clock.ts'
import type { Logger } from '../runtime/log.ts'
import { openBacklog } from './backlog.ts'
import { openDrain } from './drain.ts'
import type { LogEntry } from './entry.ts'
import type { LogKeys } from './keys.ts'

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
  /** How many entries are not written yet. */
  waiting(): number
  /** The entries that cannot be written now; null: the waiting ones are being written. */
  stuck(): Stuck | null
  /** New alerts for an administrator; each is returned once. */
  alerts(): Alert[]
  /**
   * Writes the rest, for up to `timeout`; call it after the last response and before the database closes.
   * @returns what could not be written, which is also in the process's log. null: nothing is lost.
   */
  close(): Promise<Lost | null>
}

export interface Stuck {
  waiting: number
  since: Date
  /** What the database lacks, where that is known. */
  lack: Lack | null
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
  timeout?: number
}

/** Milliseconds after which entries count as stuck: after a failed attempt, and without a response of the database. */
const stuckAfter = { failure: 1000, silence: 10_000 }
/** Milliseconds a request waits for one more attempt before it is refused. */
const lastTry = 1000
/** Alerts kept until they are taken to be raised. */
const maxAlerts = 100

/**
 * Writes entries in the order they were appended, outside of the requests. While the database is unreachable they wait
 * and the writer retries. An entry that the database refuses is found by halving its batch, and a sealed entry that
 * says so is written in its place, so that it does not block those behind it. When the database refuses the replacement
 * too, the entry is not the reason, and all of them wait.
 */
export const openOperationLog = (options: OperationLogOptions): OperationLog => {
  const { db, keys, log, capacity = 20_000, delay = 50, timeout = 5000 } = options
  const alerts = openAlerts(log)
  const backlog = openBacklog(capacity)
  const drain = openDrain({ backlog, db, keys, log, delay, onAlert: alerts.add })

  const stuck = (): Stuck | null => {
    const waiting = backlog.waiting()
    const isLong = backlog.waitedFor() > (drain.failures() > 0 ? stuckAfter.failure : stuckAfter.silence)
    return waiting > 0 && isLong
      ? { waiting, since: backlog.since(), lack: drain.failures() > 0 ? drain.lack() : null }
      : null
  }

  const isOpen = (): boolean => !backlog.isFull() && stuck() === null

  const tryOnce = async (): Promise<boolean> => {
    await inTime(
      lastTry,
      drain.flush().catch(() => {}),
      () => {},
    )
    if (isOpen()) return true
    backlog.addRefusal()
    return false
  }

  const writeRest = async (until: number): Promise<void> => {
    while (backlog.waiting() > 0 && steadyTime() < until) await drain.flush().catch(() => sleep(100))
  }

  return {
    append(entry) {
      backlog.add(entry)
      drain.wake()
    },
    admits: () => isOpen() || tryOnce(),
    flush: drain.flush,
    waiting: backlog.waiting,
    stuck,
    alerts: alerts.take,
    async close() {
      drain.stop()
      const since = backlog.since()
      backlog.addCounted()
      await inTime(timeout, writeRest(steadyTime() + timeout), () => {})
      const waiting = backlog.waiting()
      if (waiting === 0) return null
      log.error({ lost: waiting }, 'Operation log: these entries could not be written')
      return { entries: waiting, refused: backlog.refusals(), since }
    },
  }
}

/** Alerts that wait to be raised: of each cause the newest, and not more than `maxAlerts`. */
const openAlerts = (log: Logger) => {
  let waiting: Alert[] = []
  return {
    add(alert: Alert): void {
      log.error({ cause: alert.cause }, `Operation log: ${alert.description}`)
      waiting = [...waiting.filter(({ cause }) => cause !== alert.cause), alert].slice(-maxAlerts)
    },
    take: (): Alert[] => waiting.splice(0),
  }
}
