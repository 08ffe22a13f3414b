import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../concurrency/in-time.ts'
import type { Logger } from '../runtime/log.ts'
import type { Db } from './client.ts'
import { sqlStateOf } from './sql-state.ts'
import { isUnavailable } from './unavailable.ts'
import { placeOfPrimary, progressOf, type WalPlace } from './wal-place.ts'

/** Standbys that are read from: one address may lead to several. */
export interface Replica {
  /** @returns a connection for the caller alone; null: all are in use */
  take(): ReplicaConnection | null
}

export interface ReplicaConnection {
  db: Db
  /** Whether it was lost since it was taken: what is asked next may be answered by another standby. */
  isLost(): boolean
  giveBack(): void
  /** Ends what waits for the standby, which may hang. */
  discard(): void
}

/** Runs a read, which may run twice: at first on a standby and then on the primary. */
export type Reading = <R>(read: (db: Db) => Promise<R>, how?: ReadingHow) => Promise<R>

export interface ReadingHow {
  /** Milliseconds that it may take on a standby. Default: 5 s. */
  within?: number
}

/** Why a read went to the primary although there is a standby; docs/metrics.md explains them. */
export const fallbackReasons = ['busy', 'behind', 'away', 'other_history', 'slow', 'conflict', 'refused'] as const
export type FallbackReason = (typeof fallbackReasons)[number]

/** How many reads went where, since the start. */
export interface StandbyReads {
  /** Those that a standby answered. */
  answered: number
  /** Those that went to the primary. */
  fallbacks: Record<FallbackReason, number>
}

/** Milliseconds: that a standby may be behind, between two looks, a read may take there, and standbys are left alone then. */
const times = { behind: 300, look: 10, read: 5000, rest: 5000 }

export const onPrimary =
  (db: Db): Reading =>
  (work) =>
    work(db)

/**
 * Reads on a standby that has all that the primary had when the read was asked for: what any caller was answered before,
 * through whichever instance, is in what they read, and what they may see was looked up before. Otherwise on the primary.
 * @returns `counts` goes on with each read
 */
export const openReading = (
  { db, replica }: { db: Db; replica: Replica },
  log: Logger,
): { reading: Reading; counts: StandbyReads } => {
  const fallbacks = { busy: 0, behind: 0, away: 0, other_history: 0, slow: 0, conflict: 0, refused: 0 }
  const counts: StandbyReads = { answered: 0, fallbacks }
  let rests: { until: number; reason: FallbackReason } | null = null
  let isUsed = true

  const rest = ({ reason, message }: NotReadable): void => {
    rests = { until: performance.now() + times.rest, reason }
    if (isUsed)
      log.warn({ reason: message }, 'The replica of the database is not used for now: reads go to the primary')
    isUsed = false
  }
  const noteUse = (): void => {
    if (!isUsed) log.info('The replica of the database is used again')
    isUsed = true
  }

  const reading: Reading = async (work, { within = times.read } = {}) => {
    const onPrimaryFor = (reason: FallbackReason) => {
      fallbacks[reason] += 1
      return work(db)
    }
    if (rests !== null && performance.now() < rests.until) return onPrimaryFor(rests.reason)
    const connection = replica.take()
    if (connection === null) return onPrimaryFor('busy')
    let reason: FallbackReason = 'refused'
    try {
      await untilThere(connection, await placeOf(db))
      noteUse()
      const result = await readThere(connection, work, within)
      counts.answered += 1
      return result
    } catch (error) {
      if (error instanceof NotReadable) {
        rest(error)
        reason = error.reason
      }
      // Whatever else a standby refuses is asked of the primary.
      else if (sqlStateOf(error) === null) throw error
    } finally {
      connection.giveBack()
    }
    return onPrimaryFor(reason)
  }
  return { reading, counts }
}

/** Why a standby cannot be read from. */
class NotReadable extends Error {
  readonly reason: FallbackReason
  constructor(reason: FallbackReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** @throws NotReadable, or that the primary is not available */
const placeOf = (primary: Db): Promise<WalPlace> =>
  placeOfPrimary(primary).catch((error: unknown) => {
    const state = sqlStateOf(error)
    throw state === null || isUnavailable(error)
      ? error
      : new NotReadable('refused', `the primary refused a query (${state})`)
  })

/** @throws NotReadable */
const untilThere = async (connection: ReplicaConnection, place: WalPlace): Promise<void> => {
  const until = performance.now() + times.behind
  const there = async (): Promise<void> => {
    for (;;) {
      const progress = await progressOf(connection.db, place)
      if (progress === 'there') return
      if (progress === 'of another history')
        throw new NotReadable('other_history', 'it is not a standby of the primary')
      if (performance.now() > until) throw new NotReadable('behind', 'it is behind')
      await delay(times.look)
    }
  }
  await inTime(times.behind * 2, there(), () => {
    connection.discard()
    throw new NotReadable('away', 'it does not answer')
  }).catch((error: unknown) => {
    if (error instanceof NotReadable) throw error
    if (isUnavailable(error)) throw new NotReadable('away', 'it is away')
    throw new NotReadable('refused', `it refused a query (${sqlStateOf(error)})`)
  })
}

/** @throws NotReadable, or what `work` throws */
const readThere = async <R>(
  connection: ReplicaConnection,
  work: (db: Db) => Promise<R>,
  within: number,
): Promise<R> => {
  const lost = () => new NotReadable('away', 'it is away, or ended the read')
  try {
    const result = await inTime(within, work(connection.db), () => {
      connection.discard()
      throw new NotReadable('slow', 'it takes too long')
    })
    if (connection.isLost()) throw lost()
    return result
  } catch (error) {
    if (error instanceof NotReadable) throw error
    if (isConflict(error))
      throw new NotReadable('conflict', 'it ended a read that was in the way of what it has to replay')
    throw connection.isLost() || isUnavailable(error) ? lost() : error
  }
}

/** A standby ends a read that stands in the way of what it has to replay. */
const isConflict = (error: unknown): boolean => sqlStateOf(error) === '40001'
