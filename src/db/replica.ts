import { setTimeout as delay } from 'node:timers/promises'
import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import type { Db } from './client.ts'
import { sqlStateOf } from './sql-state.ts'
import { isUnavailable } from './unavailable.ts'

/** A standby that is read from. */
export interface Replica {
  /** The client changes when it was renewed. */
  current(): Db
  /** Ends what waits for the standby, which may hang, and connects anew. */
  renew(): void
}

/** What proves that a server has everything that the primary had at a certain moment. */
export interface Mark<M> {
  /** That of the primary now. */
  read(db: Db): Promise<M>
  isIn(db: Db, mark: M): Promise<boolean>
}

/** Runs a read, which may run twice: at first on the replica and then on the primary. */
export type Reading = <R>(read: (db: Db) => Promise<R>) => Promise<R>

/** Milliseconds: that the replica may be behind, between two looks, a read may take there, and it is left alone then. */
const times = { behind: 300, look: 20, read: 30_000, rest: 5000 }

/**
 * Reads on the replica where it has all that the primary had when the read was asked for: what a caller was answered
 * before, through whichever instance, is in what they read. Otherwise, and while there is no replica, on the primary.
 */
export const openReading = <M>(
  { db, replica }: { db: Db; replica?: Replica | undefined },
  { read, isIn }: Mark<M>,
  log: Logger,
): Reading => {
  if (replica === undefined) return (work) => work(db)
  let restsUntil = 0
  let isUsed = true

  const rest = (reason: string): void => {
    restsUntil = performance.now() + times.rest
    if (isUsed) log.warn({ reason }, 'The replica of the database is not used for now: reads go to the primary')
    isUsed = false
  }

  /** @returns why it cannot be used; null: it has all */
  const lacking = async (mark: M): Promise<string | null> => {
    const until = performance.now() + times.behind
    const there = async (): Promise<string | null> => {
      while (!(await isIn(replica.current(), mark))) {
        if (performance.now() > until) return 'it is behind'
        await delay(times.look)
      }
      return null
    }
    return inTime(times.behind * 2, there(), () => {
      replica.renew()
      return 'it does not answer'
    }).catch(
      // What it refuses, such as a table that it does not have yet, is done on the primary.
      (error: unknown) => (isUnavailable(error) ? 'it is away' : `it refused a query (${sqlStateOf(error)})`),
    )
  }

  return async (work) => {
    if (performance.now() < restsUntil) return work(db)
    const missing = await lacking(await read(db))
    if (missing !== null) {
      rest(missing)
      return work(db)
    }
    if (!isUsed) log.info('The replica of the database is used again')
    isUsed = true
    const late = new Error('the replica takes too long')
    try {
      return await inTime(times.read, work(replica.current()), () => {
        replica.renew()
        throw late
      })
    } catch (error) {
      if (error !== late && !isUnavailable(error) && !isConflict(error)) throw error
      rest(error === late ? late.message : 'it is away, or ended the read')
      return work(db)
    }
  }
}

/** A standby ends a read that stands in the way of what it has to replay. */
const isConflict = (error: unknown): boolean => sqlStateOf(error) === '40001'
