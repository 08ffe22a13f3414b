import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import { errorRecord, type Logger } from '../log.ts'
import { type Converged, converge } from './converge.ts'
import { type Directory, DirectoryError } from './directory.ts'
import { findDrift } from './drift.ts'
import type { GroupClass } from './entry-shape.ts'
import { ensureLayout } from './layout.ts'
import { type Claim, leaseSeconds, ledger, type Scope } from './ledger.ts'
import type { RecordKind, Touched } from './touch.ts'

/** What comparing and repairing did, in the terms of a run report. */
export interface DirectoryRun {
  /** false: the directory went out of reach on the way, the counts are of what was done until then. */
  completed: boolean
  total: number
  added: number
  updated: number
  moved: number
  unchanged: number
  /** Entries without a row. */
  skipped: number
  failed: number
  /** The first hundred. */
  problems: RunProblem[]
}

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
}

const batchSize: Readonly<Record<RecordKind, number>> = { user: 1000, group: 50 }
/** Groups depend on each other's places and go one batch at a time. */
const lanesForUsers = 2
const problemsKept = 100
const problemsLogged = 5
/** How often, and how long apart in milliseconds, a run asks again for records somebody else is writing. */
const busyTries = 20
const busyWait = 100
/** Milliseconds between looks for what became due, for example on another instance. */
const pollInterval = 1000
/** An idle connection is asked for a sign of life this often, milliseconds: a directory that was replaced is noticed. */
const watchInterval = 5000
/** A request brings its own records home up to this many; more are left to the loop. */
const ownRecords = 200
/** Longest pause between attempts to reach a directory that is out of reach, milliseconds. */
const longestPause = 10_000

export const openReconciler = ({ db, directory, groupClass, greet, log }: ReconcilerOptions): Reconciler => {
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
  /** Claims to be given back as soon as the database, which was away, is there again. */
  const unreleased: Claim[] = []

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
      return unusable(error)
    })
    return greeted
  }

  /** A directory in which our layout cannot be made is out of reach, too, until somebody mends it. */
  const unusable = (error: unknown): never => {
    throw error instanceof DirectoryError && error.kind === 'refused'
      ? new DirectoryError('unavailable', error.message, { code: error.code, cause: error })
      : error
  }

  const outOfReach = (error: unknown): error is DirectoryError =>
    error instanceof DirectoryError && error.kind === 'unavailable'

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

  const giveBack = async (claim: Claim, reason: string): Promise<void> => {
    try {
      await book.release(claim, reason)
    } catch {
      unreleased.push(claim)
    }
  }

  /** Claims a batch, makes it equal, writes down what came of it. Empty: there was nothing to claim. */
  const step = async (kind: RecordKind, scope: Scope, limit = batchSize[kind]): Promise<Converged[]> => {
    await ready()
    const owner = randomUUID()
    const claim = await book.claim(kind, owner, scope, limit).catch((error: unknown) => {
      // The database may have taken it down and gone away before it could say so.
      unreleased.push({ kind, owner, ids: [] })
      throw error
    })
    if (claim.ids.length === 0) return []
    const renewal = setInterval(() => book.renew(claim).catch(() => undefined), (leaseSeconds * 1000) / 3)
    try {
      const reached = await makeEqual(claim)
      await book.record(claim, reached)
      return reached
    } catch (error) {
      await giveBack(claim, outOfReach(error) ? error.message : 'internal error, see the log')
      throw error
    } finally {
      clearInterval(renewal)
    }
  }

  /** Batch after batch until nothing is due. While one is with the directory, the next is read from SQL. */
  const everythingDue = async (kind: RecordKind, took: (reached: Converged[]) => void): Promise<boolean> => {
    let worked = false
    const lane = async (): Promise<void> => {
      while (!stopped) {
        const reached = await step(kind, 'due')
        if (reached.length === 0) return
        worked = true
        took(reached)
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: kind === 'user' ? lanesForUsers : 1 }, lane))
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
    return worked
  }

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    work.catch(() => undefined).finally(() => underWay.delete(work))
    return work
  }

  /** One round over everything due. Users first: groups name the places people are at. */
  const round = async (): Promise<boolean> => {
    for (const claim of unreleased.splice(0)) await giveBack(claim, '')
    await ready()
    for (const kind of ['user', 'group'] as const) {
      const worked = await everythingDue(kind, (reached) => {
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
      const { completed, problems, ...counts } = await whole(kind)
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
        if (outOfReach(error)) await noteOutOfReach(error)
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
      while (ids.length > 0 && (await step(kind, { ids, onlyPending: true })).some(arrived));
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
      if (!outOfReach(error))
        log.error({ error: errorRecord(error) }, 'records could not be brought to the directory; they follow')
      else await noteOutOfReach(error)
      return false
    }
  }

  const note = (run: DirectoryRun, problem: RunProblem): void => {
    run.failed++
    if (run.problems.length < problemsKept) run.problems.push(problem)
  }

  const tally = (run: DirectoryRun, reached: readonly Converged[]): void => {
    for (const one of reached) {
      if (one.action === 'failed') {
        const advice =
          one.outcome === 'parked'
            ? 'change the record, or mend the directory and sync again'
            : 'it is retried by itself'
        note(run, { sourceId: String(one.id), name: one.name, step: 'write', reason: one.error, advice })
      } else if (one.action === 'removed') run.updated++
      else run[one.action]++
    }
  }

  /** Compares and repairs these records, groups a level of the tree at a time. */
  const compareAll = async (run: DirectoryRun, kind: RecordKind, ids: readonly number[]): Promise<void> => {
    for (const level of kind === 'group' ? await book.levels(ids) : [ids]) {
      for (let start = 0; start < level.length; start += batchSize.user) {
        await compareBatch(run, kind, new Set(level.slice(start, start + batchSize.user)))
      }
    }
  }

  const compareBatch = async (run: DirectoryRun, kind: RecordKind, left: Set<number>): Promise<void> => {
    for (let idle = 0; left.size > 0 && idle < busyTries; ) {
      const reached = await step(kind, { ids: [...left], onlyPending: false })
      tally(run, reached)
      for (const one of reached) left.delete(one.id)
      // A group may be waiting for its parent, which is due and nobody else's business while this goes on.
      const others = reached.length > 0 ? [] : await step(kind, 'due')
      idle = reached.length + others.length > 0 ? 0 : idle + 1
      if (idle > 0) await delay(busyWait)
    }
    for (const id of left) {
      const reason = 'another instance is writing it, or its parent group is not there yet'
      note(run, { sourceId: String(id), name: '', step: 'compare', reason, advice: 'it follows by itself' })
    }
  }

  const whole = async (kind: RecordKind): Promise<DirectoryRun> => {
    const run = emptyRun()
    // Whoever emptied the directory may have taken along what our entries are kept in.
    await ensureLayout(directory).catch(unusable)
    const drift = await findDrift(db, directory, kind)
    run.total = drift.total
    run.unchanged = drift.unchanged
    await compareAll(run, kind, drift.suspects)
    for (const dn of drift.strangers) {
      run.skipped++
      if (run.problems.length < problemsKept) run.problems.push(stranger(dn))
    }
    return run
  }

  const pendingOnes = async (run: DirectoryRun, kind: RecordKind): Promise<void> => {
    await book.hurry()
    await everythingDue(kind, (reached) => {
      run.total += reached.length
      tally(run, reached)
    })
  }

  const synchronize: Reconciler['synchronize'] = (kind, which) => track(repair(kind, which))

  const repair = async (kind: RecordKind, which: readonly number[] | 'pending' | 'all'): Promise<DirectoryRun> => {
    let run = emptyRun()
    synchronizing++
    try {
      await ready()
      if (which === 'all') run = await whole(kind)
      if (which === 'all' || which === 'pending') await pendingOnes(run, kind)
      else {
        run.total = which.length
        await compareAll(run, kind, which)
      }
    } catch (error) {
      if (!outOfReach(error)) throw error
      await noteOutOfReach(error)
      run.completed = false
      const advice = 'nothing is lost: the directory follows as soon as it is back'
      run.problems.push({ sourceId: '', name: '', step: 'connect', reason: error.message, advice })
    } finally {
      synchronizing--
    }
    return run
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

const emptyRun = (): DirectoryRun => ({
  completed: true,
  total: 0,
  added: 0,
  updated: 0,
  moved: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  problems: [],
})

const stranger = (dn: string): RunProblem => ({
  sourceId: '',
  name: dn,
  step: 'compare',
  reason: 'the directory holds this entry, and no record speaks for it',
  advice: 'add the person or group, or delete the entry in the directory if nobody needs it',
})
