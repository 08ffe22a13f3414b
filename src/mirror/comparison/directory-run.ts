import { setTimeout as delay } from 'node:timers/promises'
import { membershipTest } from '../../collections/sorted-numbers.ts'
import type { RunProblem } from '../../db/schema.ts'
import type { Directory } from '../../ldap/directory.ts'
import { outOfService } from '../../ldap/directory-error.ts'
import { ensureLayout } from '../entry/layout.ts'
import type { Book } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Outcome } from '../plan/outcome.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { type Batches, batchSize } from '../writing/batches.ts'
import { type Count, type CountedRecords, countedRecords } from './counted-records.ts'
import { findDrift, stillThere } from './drift.ts'

/** The result of comparing and repairing, as in a run report. */
export interface DirectoryRun {
  /** false: the directory became unavailable during the run; the counts cover what was done until then. */
  completed: boolean
  total: number
  added: number
  updated: number
  moved: number
  unchanged: number
  /** Orphan entries. */
  skipped: number
  failed: number
  /** The first hundred. */
  problems: RunProblem[]
}

/** A run in progress. */
export interface Running extends DirectoryRun {
  /** What each record was counted as, so that each is counted once, with its final outcome. */
  counted: CountedRecords
  /** Whether a record was counted as unchanged only because the change number of its entry is unchanged. */
  seenUnchanged: (id: number) => boolean
  /** Whether the run also covers all due records. */
  takesAll: boolean
  /** Told how many records are compared, and of how many; null: it is not known yet. */
  progress: DirectoryProgress
}

export type DirectoryProgress = (done: number, of: number | null) => void

/**
 * Runs that compare entries with their records, repair the differences, and count them in `run` during the work, so
 * that the counts are right also if they throw.
 */
export interface DirectoryRuns {
  /** All records that are in sync according to the ledger. */
  whole(run: Running, kind: RecordKind): Promise<void>
  /** The records that are not in sync, including refused records. */
  pending(run: Running, kind: RecordKind): Promise<void>
  /** Both. */
  everything(run: Running, kind: RecordKind): Promise<void>
  /** These records; groups one level of the tree after the other. */
  named(run: Running, kind: RecordKind, ids: readonly number[]): Promise<void>
}

interface DirectoryRunsOptions {
  book: Book
  directory: Directory
  ledger: Ledger
  batches: Batches
}

export const problemsKept = 100
/** How often, and how long apart in milliseconds, a run retries records that another instance is writing. */
const busyTries = 20
const busyWait = 100

/** Compares these records and repairs the differences; groups one level of the tree after the other. */
const comparer = ({ ledger, batches }: Pick<DirectoryRunsOptions, 'ledger' | 'batches'>) => {
  /** @param isAmong whether a record is one of this comparison; `left` is a part of them */
  const compareBatch = async (
    run: Running,
    kind: RecordKind,
    left: Set<number>,
    isAmong: (id: number) => boolean,
  ): Promise<void> => {
    for (let idle = 0; left.size > 0 && idle < busyTries; ) {
      const onStored = (outcomes: Outcome[]): void => {
        const ours = outcomes.filter(({ id }) => run.takesAll || isCounted(run, id) || isAmong(id))
        run.total += ours.filter(({ id }) => isNew(run, id) && !isAmong(id)).length
        // Once more for records whose situation is now known, such as a group that was moved in the directory.
        const again = new Set(ours.filter((one) => isTriedAtOnce(one) && !isCounted(run, one.id)).map(({ id }) => id))
        tally(run, ours)
        for (const { id } of ours) if (!again.has(id)) left.delete(id)
      }
      const outcomes = await batches.step(kind, { ids: [...left], onlyPending: false }, onStored)
      // A group may wait for its parent, which is due and is written only by this run.
      const others = outcomes.length > 0 ? [] : await batches.step(kind, 'due', onStored)
      idle = outcomes.length > 0 || others.some(({ action }) => action !== 'failed') ? 0 : idle + 1
      if (idle === 0 || left.size === 0) continue
      const gone = await ledger.gone(kind, [...left])
      run.total -= gone.length
      for (const id of gone) left.delete(id)
      if (left.size > 0) await delay(busyWait)
    }
    for (const id of left) {
      const [stated, advised] = [statements.busy(), statements.follows()]
      count(run, id, 'failed', problem({ sourceId: String(id), name: '', step: 'compare', stated, advised }))
    }
  }

  return async (run: Running, kind: RecordKind, ids: readonly number[]): Promise<void> => {
    const isAmong = membershipTest(ids)
    for (const level of kind === 'group' ? await ledger.levels(ids) : [ids]) {
      for (let start = 0; start < level.length; start += batchSize.user) {
        await compareBatch(run, kind, new Set(level.slice(start, start + batchSize.user)), isAmong)
      }
    }
  }
}

export const directoryRuns = ({ book, directory, ledger, batches }: DirectoryRunsOptions): DirectoryRuns => {
  /** The result of the last comparison. */
  const fingerprints = new Map<RecordKind, number>()

  const compareAll = comparer({ ledger, batches })

  const whole = async (run: Running, kind: RecordKind): Promise<void> => {
    // If the directory was emptied, the base entry and the units may be missing too.
    await ensureLayout(directory, await ledger.groupLayout()).catch(outOfService)
    run.progress(0, null)
    const drift = await findDrift(book, directory, kind)
    await ledger.reconsider(kind, { parked: fingerprints.get(kind) !== drift.fingerprint })
    fingerprints.set(kind, drift.fingerprint)
    run.total = drift.total
    run.unchanged = drift.unchanged
    run.seenUnchanged = drift.isUnchanged
    run.progress(run.unchanged, run.total)
    await compareAll(run, kind, drift.suspects)
    if (kind === 'user') await ledger.endMemberOf()
    // An entry that was moved back is no longer an orphan entry.
    for (const dn of run.moved > 0 ? await stillThere(directory, drift.orphans) : drift.orphans) {
      run.skipped++
      if (run.problems.length < problemsKept) run.problems.push(orphanProblem(dn))
    }
  }

  const due = async (run: Running, kind: RecordKind): Promise<void> => {
    await batches.everythingDue(kind, (outcomes) => {
      run.total += outcomes.filter(({ id }) => isNew(run, id)).length
      tally(run, outcomes)
    })
    const reason = batches.refusal()
    if (reason === null) return
    run.completed = false
    const [stated, advised] = [statements.refused({ problem: reason }), statements.few_at_a_time()]
    run.problems.unshift(problem({ sourceId: '', name: '', step: 'write', stated, advised }))
  }

  return {
    whole,

    async everything(run, kind) {
      run.takesAll = true
      // Before the comparison, so that records that it cannot write are not retried at once.
      await ledger.makeAllDue()
      await whole(run, kind)
      await due(run, kind)
    },

    async pending(run, kind) {
      await ledger.makeAllDue()
      await due(run, kind)
    },

    async named(run, kind, ids) {
      run.total = ids.length
      // Records that the caller names are tried regardless of earlier attempts.
      await ledger.dueNow(kind, ids)
      await compareAll(run, kind, ids)
    },
  }
}

const isTriedAtOnce = ({ result, delay }: Outcome): boolean => result === 'retry' && delay === 0

const isCounted = (run: Running, id: number): boolean => run.counted.of(id) !== undefined

const isNew = (run: Running, id: number): boolean => !isCounted(run, id) && !run.seenUnchanged(id)

const count = (run: Running, id: number, as: Count, problem: RunProblem | null): void => {
  const { counted } = run
  const earlier = counted.of(id)
  if (earlier !== undefined) run[earlier]--
  else if (run.seenUnchanged(id)) run.unchanged--
  const shown = counted.shown.get(id)
  if (shown !== undefined) {
    run.problems = run.problems.filter((one) => one !== shown)
    counted.shown.delete(id)
  }
  counted.set(id, as)
  run[as]++
  if (problem !== null && run.problems.length < problemsKept) {
    run.problems.push(problem)
    counted.shown.set(id, problem)
  }
}

/** A record is counted by what was done first, unless something failed: then by the last outcome. */
const tally = (run: Running, outcomes: readonly Outcome[]): void => {
  for (const one of outcomes) {
    const earlier = run.counted.of(one.id)
    if (one.action === 'failed') count(run, one.id, 'failed', problemOf(one))
    else if (earlier === undefined || earlier === 'failed') {
      count(run, one.id, one.action === 'removed' ? 'updated' : one.action, null)
    }
  }
  run.progress(Math.min(run.unchanged + run.added + run.updated + run.moved + run.failed, run.total), run.total)
}

export const problem = (of: Required<Omit<RunProblem, 'reason' | 'advice'>>): RunProblem => ({
  ...of,
  reason: of.stated.text,
  advice: of.advised.text,
})

const problemOf = ({ id, name, error, result }: Outcome): RunProblem =>
  problem({
    ...{ sourceId: String(id), name, step: 'write' },
    stated: statements.refused({ problem: error ?? statements.retried() }),
    advised: result === 'parked' ? statements.change_or_repair() : statements.retried(),
  })

export const emptyRun = (progress: DirectoryProgress = () => {}): Running => ({
  progress,
  completed: true,
  total: 0,
  added: 0,
  updated: 0,
  moved: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  problems: [],
  counted: countedRecords(),
  seenUnchanged: () => false,
  takesAll: false,
})

/** Whether a problem is that an entry belongs to no record; then its name is the DN. */
export const isOfOrphan = ({ stated }: RunProblem): boolean => stated?.code === statements.orphan().code

const orphanProblem = (dn: string): RunProblem =>
  problem({
    ...{ sourceId: '', name: dn, step: 'compare' },
    stated: statements.orphan(),
    advised: statements.add_or_delete(),
  })
