import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import type { Directory } from '../ldap/directory.ts'
import { DirectoryError, isUnavailable, outOfService } from '../ldap/directory-error.ts'
import { resultCodes } from '../ldap/result-code.ts'
import { errorRecord, type Logger } from '../log.ts'
import { openBatches } from './batches.ts'
import { converge } from './converge.ts'
import { type DirectoryRun, directoryRuns, emptyRun } from './directory-run.ts'
import type { GroupClass } from './entry-shape.ts'
import { ensureLayout } from './layout.ts'
import { ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import { type PasswordTerms, passwordDigest, type SchemeProof } from './password-merge.ts'
import type { SchemeProofs } from './password-scheme.ts'
import { refusalOfWrites } from './probe-entry.ts'
import { reasons } from './reasons.ts'
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
  /**
   * Compares everything with the directory, repairs what differs, and logs what it found, if anything.
   * @throws AppError (unavailable) when the directory goes out of reach on the way
   */
  compareEverything(): Promise<void>
  /** Whether the directory verifies passwords of this scheme; null: it is not known. */
  verifies(scheme: string): boolean | null
  /** Works through what is due, whoever made it so, until stopped. */
  start(): void
  /** Ends the work under way and gives back what is held. */
  stop(): Promise<void>
}

export interface ReconcilerOptions {
  db: Db
  directory: Directory
  groupClass: GroupClass
  /** Runs once per connection, after the layout is there: what is answered tries schemes of passwords on it. */
  greet: () => Promise<SchemeProofs>
  passwords: ReconcilerPasswords
  log: Logger
  /** Milliseconds since 1970, by which leases are judged. */
  now?: () => number
}

export interface ReconcilerPasswords {
  /** 32 bytes; digests what was last written. */
  key: Buffer
  /** The scheme of new hashes, as it stands in a value. */
  scheme: string
  /** Takes a password over that was changed in the directory; null: another process does. */
  adopt: AdoptPassword | null
}

/**
 * @param value what `userPassword` holds, in a form that `adoptable` knows
 * @param instead the record's own, as it was when that was seen; null: none
 */
export type AdoptPassword = (userId: number, value: string, instead: string | null) => Promise<void>

const problemsLogged = 5
/** Milliseconds between looks for what became due, for example on another instance. */
const pollInterval = 1000
/** An idle connection is asked for a sign of life this often, milliseconds: a directory that was replaced is noticed. */
const watchInterval = 5000
/** A request brings its own records home up to this many; more are left to the loop. */
const ownRecords = 200
/** Longest pause between attempts to reach a directory that is out of reach, milliseconds. */
const longestPause = 10_000

export const openReconciler = (options: ReconcilerOptions): Reconciler => {
  const { db, directory, groupClass, greet, passwords, log, now } = options
  const book = ledger(db, directory.baseDn)
  let proofs: SchemeProofs | null = null
  const digest = passwordDigest(passwords.key)
  const passwordTerms = async (schemes: ReadonlySet<string>): Promise<PasswordTerms> => {
    const known = proofs
    await known?.prove(schemes)
    const of = (scheme: string): SchemeProof => known?.of(scheme) ?? untried
    const adopts = passwords.adopt !== null
    return {
      of,
      shown: of(passwords.scheme).shown,
      digest,
      adopts,
      adoptsClear: adopts && of(passwords.scheme).verdict === 'proved',
    }
  }
  const makeEqual = converge({
    directory,
    ledger: book,
    groupClass,
    passwordTerms,
    surprised: () => wantDrift(),
    foundMoved: () => {
      moves++
      wantDrift()
    },
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
  /** How often a group was found that had been moved in the directory. */
  let moves = 0
  let watchedAt = 0
  /** What the last comparison told that found anything. */
  const reported = new Map<RecordKind, string>()
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
      await requireWrites()
      proofs = await greet()
      await proofs.prove(new Set([passwords.scheme, ...(await book.passwordSchemes())]))
      const { verdict, reason } = proofs.of(passwords.scheme) ?? untried
      if (verdict !== 'proved') log.error(`people cannot sign in to the directory: ${reason}`)
      await book.reconsiderPasswords(proofs.with('proved'), proofs.with('disproved'))
      await book.hurry()
      if (failures > 0) log.info({ failures }, 'the directory takes changes again')
      failures = 0
      pausedUntil = 0
      wantDrift()
    } finally {
      greeting = false
    }
  }

  /**
   * One try tells for all that wait. A server may have something against the probe alone, so a few records have the last
   * say where any wait.
   * @throws DirectoryError `unavailable`: what waits is not to be tried, it would be refused
   */
  const requireWrites = async (): Promise<void> => {
    const refusal = await refusalOfWrites(directory)
    if (refusal === null) return
    const reason = await batches.trial()
    if (reason !== null) throw refusesWrites(reason)
  }

  /** @throws DirectoryError where it is not about the records that were refused */
  const doubt = async (reason: string): Promise<void> => {
    if ((await refusalOfWrites(directory)) !== null) throw refusesWrites(reason)
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
    const what = error.code === resultCodes.unwillingToPerform ? 'takes no changes' : 'is out of reach'
    if (failures === 1) log.warn({ reason: error.message }, `the directory ${what}; changes are kept and follow`)
    await explain()
  }

  /** Whoever looks at a record that has not arrived is told why. */
  const explain = (): Promise<void> =>
    book
      .explain(outOfReachBecause)
      .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the database did not take a note'))

  /** Each by itself: what goes wrong with one is looked at again by the next comparison. */
  const adoptAll = async (reached: readonly Outcome[]): Promise<void> => {
    for (const { id, adopt } of reached) {
      if (adopt === undefined || passwords.adopt === null) continue
      await passwords
        .adopt(id, adopt.value, adopt.instead)
        .catch((error: unknown) =>
          log.error({ error: errorRecord(error), id }, 'a password of the directory was not adopted'),
        )
      wake()
    }
  }

  /** Those that nothing is known of wait for an answer, or for those before them. */
  const explainSilence = (): Promise<void> =>
    book
      .explainSilence('the directory has not answered yet')
      .catch((error: unknown) => log.warn({ error: errorRecord(error) }, 'the database did not take a note'))

  const batches = openBatches({
    ledger: book,
    makeEqual,
    ready,
    stopped: () => stopped,
    doubt,
    recorded: adoptAll,
    now,
  })
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
    for (const kind of batches.resting() ? [] : (['user', 'group'] as const)) {
      const worked = await batches.everythingDue(kind, (reached) => {
        for (const one of reached) {
          if (one.result !== 'parked' && one.refusedByServer === undefined) continue
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
    const movesBefore = moves
    for (const kind of ['user', 'group'] as const) {
      const run = emptyRun()
      await runs.whole(run, kind)
      const { completed, problems, counted, seenUnchanged, takesAll, ...counts } = run
      if (counts.added + counts.updated + counts.moved + counts.failed + counts.skipped === 0) continue
      // What is only reported is the same each time.
      const report = JSON.stringify([kind, counts.failed, counts.skipped, problems])
      if (counts.added + counts.updated + counts.moved === 0 && reported.get(kind) === report) continue
      reported.set(kind, report)
      log.warn({ kind, ...counts, problems: problems.slice(0, problemsLogged) }, 'the directory had drifted')
    }
    // What was missing is there again; only what is found missing from now on is news. What was moved may have stood in
    // the way of others, or taken them along.
    driftWanted = moves !== movesBefore
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
        else if (error instanceof DirectoryError) {
          // What is due goes on, and the next comparison tries again.
          driftWanted = false
          log.error({ reason: error.message }, `the directory cannot be compared with the database: ${readAll}`)
        } else {
          log.error({ error: errorRecord(error) }, 'the reconciler failed and tries again')
          await sleep(pollInterval)
        }
      }
    }
  }

  /** @returns whether the server refused one of them, so that nobody need wait for it */
  const own = async (touched: readonly Touched[]): Promise<boolean> => {
    let refused = false
    const idsOf = (kind: RecordKind) => touched.filter((one) => one.kind === kind).map((one) => one.id)
    const bringHome = async (kind: RecordKind, ids: readonly number[]): Promise<void> => {
      // Groups come a level at a time, parents first.
      for (let going = ids.length > 0; going; ) {
        const reached = await batches.step(kind, { ids, onlyPending: true })
        refused ||= reached.some((one) => one.refusedByServer !== undefined)
        going = reached.some(arrived)
      }
    }
    await bringHome('user', idsOf('user'))
    await bringHome('group', [...idsOf('group'), ...(await book.groupsOnTheirWay(idsOf('user')))])
    return refused
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
        const refused = touched.length <= ownRecords && (await own(touched))
        const { behind, parked } = await book.behind(touched)
        if (behind === 0) return true
        if (refused || parked === behind || Date.now() + wait > deadline) return false
        await delay(wait)
      }
    }
    const patience = async (): Promise<boolean> => {
      await delay(timeout, undefined, { ref: false })
      return false
    }
    try {
      const settled = await Promise.race([track(arrival()), patience()])
      if (!settled) await explainSilence()
      return settled
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
      if (!(error instanceof DirectoryError)) throw error
      run.completed = false
      const reason = error.message
      if (error.kind === 'unavailable') {
        await noteOutOfReach(error)
        const advice = 'nothing is lost: the directory follows as soon as it is back'
        run.problems.push({ sourceId: '', name: '', step: 'connect', reason, advice })
      } else run.problems.push({ sourceId: '', name: '', step: 'compare', reason, advice: readAll })
    } finally {
      synchronizing--
    }
    const { counted, seenUnchanged, takesAll, ...report } = run
    return report
  }

  return {
    settle,
    synchronize,
    compareEverything: () => track(compareEverything().catch(unavailableForNow)),
    verifies: (scheme) => {
      const verdict = proofs?.of(scheme)?.verdict
      return verdict === undefined || verdict === 'unknown' ? null : verdict === 'proved'
    },
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

const untried: SchemeProof = { verdict: 'unknown', shown: false, reason: 'the directory was not asked yet' }

/** Where the server refuses to list what is there. */
const readAll =
  'let the account of LDAP_BIND_DN read all below LDAP_BASE_DN, page by page (OpenLDAP: olcLimits, size=unlimited)'

const unavailableForNow = (error: unknown): never => {
  throw error instanceof DirectoryError
    ? reasons.directory_unavailable({ problem: error.message }, { cause: error })
    : error
}

const refusesWrites = (diagnosis: string): DirectoryError =>
  new DirectoryError('unavailable', `the directory takes no changes: ${diagnosis}`, {
    code: resultCodes.unwillingToPerform,
    answered: false,
  })

const arrived = ({ result }: Outcome): boolean => result === 'in_sync' || result === 'removed'
