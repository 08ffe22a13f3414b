import { type Alert, alertOf } from '../alerts/alert.ts'
import type { Db } from '../db/client.ts'
import { type Lack, lackOf } from '../db/lack.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Backlog } from './backlog.ts'
import type { LogKeys } from './keys.ts'
import { openPieceWriter } from './piece-writer.ts'
import { openPieces, replacedIn } from './pieces.ts'
import { refusalOf } from './refusal.ts'
import { openRetries } from './retries.ts'

/** Writes what is in the backlog: soon, when it is woken, and again and again while the database does not take it. */
export interface Drain {
  /** Something was added to the backlog. */
  wake(): void
  /** Resolves when all that was added before is written. @throws the database's error when it cannot be now */
  flush(): Promise<void>
  /** Failed attempts since an entry was written. */
  failures(): number
  /** What the database lacked at the last of them; null: something else failed. */
  lack(): Lack | null
  /** From now on only `flush` writes. */
  stop(): void
}

export interface DrainOptions {
  backlog: Backlog
  db: Db
  keys: LogKeys
  log: Logger
  /** Milliseconds an entry waits, so that several are written together. */
  delay: number
  /** Called with an alert that is to be raised. */
  onAlert: (alert: Alert) => void
}

/** Entries written with one statement. */
const batchSize = 1000
/** Milliseconds between two attempts while entries cannot be written. */
const longestPause = 1000
/** Failed attempts in a row after which the entry itself is suspected, whatever the database's reason. */
const suspicious = 5

export const openDrain = ({ backlog, db, keys, log, delay, onAlert }: DrainOptions): Drain => {
  const pieces = openPieces(() => backlog.take(batchSize))
  const writer = openPieceWriter(db, keys)
  let underWay: Promise<void> | null = null
  let lack: Lack | null = null

  /** @throws `error` unless it is one about the content of an entry */
  const divide = (error: unknown): void => {
    if (isUnavailable(error)) throw error
    const { code, aboutEntry } = refusalOf(error)
    if (!aboutEntry && retries.failures() < suspicious) throw error
    if (!pieces.divide(code)) throw error
  }

  const writePiece = async (): Promise<void> => {
    const piece = pieces.next()
    const written = await writer.write(piece).catch(divide)
    if (!written) return
    pieces.written()
    backlog.settle(piece.length)
    if (written.alert !== null) onAlert(written.alert)
    for (const entry of replacedIn(piece)) onAlert(alertOf('logEntryRefused', { ...entry, seq: written.seq }))
    if (retries.failures() > 0) log.info({ waiting: backlog.waiting() }, 'Operation log: entries are written again')
    retries.succeeded()
    // What was counted may have become entries.
    if (backlog.waiting() > 0) retries.wake()
  }

  /** Writes one piece; concurrent callers share the attempt. */
  const writeNext = (): Promise<void> => {
    underWay ??= writePiece().finally(() => {
      underWay = null
    })
    return underWay
  }

  const flush = async (): Promise<void> => {
    const upTo = backlog.added()
    while (backlog.settled() < upTo) await writeNext()
  }

  const retries = openRetries({
    work: flush,
    isLeft: () => backlog.waiting() > 0,
    delay,
    longestPause,
    onFailure(error, failures) {
      lack = lackOf(error)
      sayThatItWaits(log, { error, failures, waiting: backlog.waiting() })
    },
  })

  return { wake: retries.wake, flush, failures: retries.failures, lack: () => lack, stop: retries.stop }
}

/** At the first failure, and then about once a minute. */
const sayThatItWaits = (log: Logger, on: { error: unknown; failures: number; waiting: number }): void => {
  const details = { error: errorRecord(on.error), waiting: on.waiting }
  if (on.failures === 1) log.warn(details, 'Operation log: entries cannot be written now and wait')
  else if (on.failures % 60 === 0) log.error(details, 'Operation log: entries still cannot be written')
}
