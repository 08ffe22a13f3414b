import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import { errorRecord, type Logger } from '../log.ts'
import { openBatches } from './batches.ts'
import { converge } from './converge.ts'
import type { Directory } from './directory.ts'
import { type DirectoryError, isUnavailable, outOfService } from './directory-error.ts'
import { type DirectoryRun, directoryRuns, emptyRun } from './directory-run.ts'
import type { GroupClass } from './entry-shape.ts'
import { ensureLayout } from './layout.ts'
import { ledger } from './ledger.ts'
import type { Converged } from './planned.ts'
import type { RecordKind, Touched } from './touch.ts'

export interface Reconciler {
  /**
   * Waits until the directory holds these versions, up to `timeout` milliseconds (default 2000). false: it does not
   * yet, or was refused; the reconciler goes on by itself.
   */
  settle(touched: readonly Touched[], timeout?: number): Promise<boolean>
  /**
   * Compares entries with their rows and repairs what differs: the records named, those not in sync, or the whole
   * directory. Never throws for what the directory does: that is in the answer.
   */
  synchronize(kind: RecordKind, which: readonly number[] | 'pending' | 'all'): Promise<DirectoryRun>
  /** Compares everything with the directory, repairs what differs, and logs what it found, if anything. */
  compareEverything(): Promise<void>
  /** Works through what is due, whoever made it so, until stopped. */
  start(): void
  /** Ends the work under way and gives back what is held. */
  stop(): Promise<void>
}

export interface ReconcilerOptions {
  db: Db
  directory: Directory
  groupClass: GroupClass
  /** Runs once per connection, after the layout is there: learns whether hashes verify and `userPassword` is readable. */
  greet: () => Promise<{ passwordReadable: boolean }>
  log: Logger
  /** Milliseconds since 1970, by which leases are judged. */
  now?: () => number
}

const problemsLogged = 5
/** Milliseconds between looks for what became due, for example on another instance. */
const pollInterval = 1000
/** An idle connection is asked for a sign of life this often, milliseconds: a directory that was replaced is noticed. */
const watchInterval = 5000
/** A request brings its own records home up to this many; more are left to the loop. */
const ownRecords = 200
/** Longest pause between attempts to reach a directory that is out of reach, milliseconds. */
const longestPause = 10_000

export const openReconciler = ({ db, directory, groupClass, greet, log, now }: ReconcilerOptions): Reconciler => {
  const book = ledger(db, directory.baseDn)
  let passwordReadable = true
  const makeEqual = converge({
    directory,
    ledger: book,
    groupClass,
    passwordReadable: () => passwordReadable,
    surprised: () => wantDrift(),
  })

  let stopped = false
  let loop: Promise<void> = Promise.resolve()
  const underWay = new Set<Promise<unknown>>()

  let failures = 0
  let outOfReachBecause = ''
  let pausedUntil = 0
  let greeted: Promise<void> | null = null
  let greeting = false
  let driftWanted = false
  let watchedAt = 0
  /** Runs under way that count what they do: the loop leaves the work to them. */
  let synchronizing = 0

  let wake: () => void = () => {}
  const sleep = async (milliseconds: number): Promise<void> => {
    const timer = new AbortController()
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    await Promise.race([woken, delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
  }

  const wantDrift = (): void => {
    driftWanted = true
    wake()
  }

  directory.onConnect(() => {
    if (greeting) return
    greeted = null
    wake()
  })

  /** Whatever happened to the directory while we were not connected, this finds it. */
  const greetDirectory = async (): Promise<void> => {
    greeting = true
    try {
      await directory.features()
      await ensureLayout(directory)
      passwordReadable = (await greet()).passwordReadable
      await book.hurry()
      failures = 0
      pausedUntil = 0
      wantDrift()
    } finally {
      greeting = false
    }
  }

  const ready = (): Promise<void> => {
    greeted ??= greetDirectory().catch((error: unknown) => {
      greeted = null
      return outOfService(error)
    })
    return greeted
  }

  const noteOutOfReach = async (error: DirectoryError): Promise<void> => {
    outOfReachBecause = error.message
    const pause = Math.min(longestPause, 250 * 2 ** failures++)
    pausedUntil = Date.now() + pause
    greeted = null
    if (failures === 1)
      log.warn({ reason: error.message }, 'the directory is out of reach; changes are kept and follow')
    await explain()
  }

  /** Whoever looks at a record that has not arrived is told why. */
  const explain = (): Promise<void> =>
    book
      .explain(outOfReachBecause)
      .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the database did not take a note'))

  const batches = openBatches({ ledger: book, makeEqual, ready, stopped: () => stopped, now })
  const runs = directoryRuns({ db, directory, ledger: book, batches })

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    work.catch(() => undefined).finally(() => underWay.delete(work))
    return work
  }

  /** One round over everything due. Users first: groups name the places people are at. */
  const round = async (): Promise<boolean> => {
    await batches.giveBackLate()
    await ready()
    for (const kind of ['user', 'group'] as const) {
      const worked = await batches.everythingDue(kind, (reached) => {
        for (const one of reached) {
          if (one.outcome !== 'parked') continue
          log.warn({ kind, id: one.id, reason: one.error }, 'the directory refused a record')
        }
      })
      if (worked) return true
    }
    if (Date.now() - watchedAt > watchInterval) {
      watchedAt = Date.now()
      await directory.read('', ['objectClass'])
    }
    if (!driftWanted) return false
    await compareEverything()
    return true
  }

  const compareEverything = async (): Promise<void> => {
    for (const kind of ['user', 'group'] as const) {
      const run = emptyRun()
      await runs.whole(run, kind)
      const { completed, problems, counted, seenUnchanged, takesAll, ...counts } = run
      if (counts.added + counts.updated + counts.moved + counts.failed + counts.skipped === 0) continue
      log.warn({ kind, ...counts, problems: problems.slice(0, problemsLogged) }, 'the directory had drifted')
    }
    // What was missing is there again; only what is found missing from now on is news.
    driftWanted = false
  }

  const work = async (): Promise<void> => {
    while (!stopped) {
      const pause = pausedUntil - Date.now()
      if (pause > 0) {
        await sleep(pause)
        if (Date.now() < pausedUntil) continue
      }
      try {
        if (synchronizing > 0 || !(await round())) await sleep(pollInterval)
      } catch (error) {
        if (isUnavailable(error)) await noteOutOfReach(error)
        else {
          log.error({ error: errorRecord(error) }, 'the reconciler failed and tries again')
          await sleep(pollInterval)
        }
      }
    }
  }

  const own = async (touched: readonly Touched[]): Promise<void> => {
    const idsOf = (kind: RecordKind) => touched.filter((one) => one.kind === kind).map((one) => one.id)
    const bringHome = async (kind: RecordKind, ids: readonly number[]): Promise<void> => {
      // Groups come a level at a time, parents first.
      while (ids.length > 0 && (await batches.step(kind, { ids, onlyPending: true })).some(arrived));
    }
    await bringHome('user', idsOf('user'))
    await bringHome('group', [...idsOf('group'), ...(await book.groupsOnTheirWay(idsOf('user')))])
  }

  const settle = async (touched: readonly Touched[], timeout = 2000): Promise<boolean> => {
    if (touched.length === 0) return true
    wake()
    if (stopped) return false
    if (Date.now() < pausedUntil) {
      await explain()
      return false
    }
    const deadline = Date.now() + timeout
    const arrival = async (): Promise<boolean> => {
      for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
        // Asked again each time: somebody else may have held one of them a moment ago.
        if (touched.length <= ownRecords) await own(touched)
        const { behind, parked } = await book.behind(touched)
        if (behind === 0) return true
        if (parked === behind || Date.now() + wait > deadline) return false
        await delay(wait)
      }
    }
    try {
      return await Promise.race([track(arrival()), delay(timeout, false, { ref: false })])
    } catch (error) {
      if (!isUnavailable(error))
        log.error({ error: errorRecord(error) }, 'records could not be brought to the directory; they follow')
      else await noteOutOfReach(error)
      return false
    }
  }

  const synchronize: Reconciler['synchronize'] = (kind, which) => track(repair(kind, which))

  const repair = async (kind: RecordKind, which: readonly number[] | 'pending' | 'all'): Promise<DirectoryRun> => {
    const run = emptyRun()
    synchronizing++
    try {
      await ready()
      if (which === 'all') await runs.everything(run, kind)
      else if (which === 'pending') await runs.pending(run, kind)
      else await runs.named(run, kind, which)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      await noteOutOfReach(error)
      run.completed = false
      const advice = 'nothing is lost: the directory follows as soon as it is back'
      run.problems.push({ sourceId: '', name: '', step: 'connect', reason: error.message, advice })
    } finally {
      synchronizing--
    }
    const { counted, seenUnchanged, takesAll, ...report } = run
    return report
  }

  return {
    settle,
    synchronize,
    compareEverything: () => track(compareEverything()),
    start: () => {
      loop = work()
    },
    stop: async () => {
      stopped = true
      wake()
      await loop
      await Promise.allSettled(underWay)
    },
  }
}

const arrived = ({ outcome }: Converged): boolean => outcome === 'in_sync' || outcome === 'removed'
