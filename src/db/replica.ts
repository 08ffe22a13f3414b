import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
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

/** Milliseconds: that a standby may be behind, between two looks, a read may take there, and standbys are left alone then. */
const times = { behind: 300, look: 10, read: 5000, rest: 5000 }

export const onPrimary =
  (db: Db): Reading =>
  (work) =>
    work(db)

/**
 * Reads on a standby that has all that the primary had when the read was asked for: what any caller was answered before,
 * through whichever instance, is in what they read, and what they may see was looked up before. Otherwise on the primary.
 */
export const openReading = ({ db, replica }: { db: Db; replica: Replica }, log: Logger): Reading => {
  let restsUntil = 0
  let isUsed = true

  const rest = (reason: string): void => {
    restsUntil = performance.now() + times.rest
    if (isUsed) log.warn({ reason }, 'The replica of the database is not used for now: reads go to the primary')
    isUsed = false
  }
  const noteUse = (): void => {
    if (!isUsed) log.info('The replica of the database is used again')
    isUsed = true
  }

  return async (work, { within = times.read } = {}) => {
    const connection = performance.now() < restsUntil ? null : replica.take()
    if (connection === null) return work(db)
    try {
      await untilThere(connection, await placeOf(db))
      noteUse()
      return await readThere(connection, work, within)
    } catch (error) {
      if (error instanceof NotReadable) rest(error.message)
      // Whatever else a standby refuses is asked of the primary.
      else if (sqlStateOf(error) === null) throw error
    } finally {
      connection.giveBack()
    }
    return work(db)
  }
}

/** Why a standby cannot be read from. */
class NotReadable extends Error {}

/** @throws NotReadable, or that the primary is not available */
const placeOf = (primary: Db): Promise<WalPlace> =>
  placeOfPrimary(primary).catch((error: unknown) => {
    const state = sqlStateOf(error)
    throw state === null || isUnavailable(error) ? error : new NotReadable(`the primary refused a query (${state})`)
  })

/** @throws NotReadable */
const untilThere = async (connection: ReplicaConnection, place: WalPlace): Promise<void> => {
  const until = performance.now() + times.behind
  const there = async (): Promise<void> => {
    for (;;) {
      const progress = await progressOf(connection.db, place)
      if (progress === 'there') return
      if (progress === 'of another history') throw new NotReadable('it is not a standby of the primary')
      if (performance.now() > until) throw new NotReadable('it is behind')
      await delay(times.look)
    }
  }
  await inTime(times.behind * 2, there(), () => {
    connection.discard()
    throw new NotReadable('it does not answer')
  }).catch((error: unknown) => {
    if (error instanceof NotReadable) throw error
    throw new NotReadable(isUnavailable(error) ? 'it is away' : `it refused a query (${sqlStateOf(error)})`)
  })
}

/** @throws NotReadable, or what `work` throws */
const readThere = async <R>(
  connection: ReplicaConnection,
  work: (db: Db) => Promise<R>,
  within: number,
): Promise<R> => {
  const lost = 'it is away, or ended the read'
  try {
    const result = await inTime(within, work(connection.db), () => {
      connection.discard()
      throw new NotReadable('it takes too long')
    })
    if (connection.isLost()) throw new NotReadable(lost)
    return result
  } catch (error) {
    if (error instanceof NotReadable || !(connection.isLost() || isUnavailable(error) || isConflict(error))) throw error
    throw new NotReadable(lost)
  }
}

/** A standby ends a read that stands in the way of what it has to replay. */
const isConflict = (error: unknown): boolean => sqlStateOf(error) === '40001'
