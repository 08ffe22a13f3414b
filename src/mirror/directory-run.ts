import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../db/client.ts'
import type { RunProblem } from '../db/schema.ts'
import type { Directory } from '../ldap/directory.ts'
import { outOfService } from '../ldap/directory-error.ts'
import { type Batches, batchSize } from './batches.ts'
import { findDrift, stillThere } from './drift.ts'
import { ensureLayout } from './layout.ts'
import type { Ledger } from './ledger.ts'
import type { Outcome } from './outcome.ts'
import type { RecordKind } from './touch.ts'

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

type Count = 'added' | 'updated' | 'moved' | 'unchanged' | 'failed'

interface Counted {
  as: Count
  /** Of one that failed. */
  problem: RunProblem | null
}

/** A run under way. */
export interface Running extends DirectoryRun {
  /** What each record was counted as, so that each counts once, with what came of it in the end. */
  counted: Map<number, Counted>
  /** Whether one was counted as unchanged by the change number of its entry alone. */
  seenUnchanged: (id: number) => boolean
  /** Whether it is about all that is due, too. */
  takesAll: boolean
}

/**
 * Runs that compare entries with their rows, repair what differs, and count it in `run` as they go: also when they
 * throw.
 */
export interface DirectoryRuns {
  /** All that is in sync, as far as we know. */
  whole(run: Running, kind: RecordKind): Promise<void>
  /** Those not in sync, refused ones among them. */
  pending(run: Running, kind: RecordKind): Promise<void>
  /** Both. */
  everything(run: Running, kind: RecordKind): Promise<void>
  /** These records, groups a level of the tree at a time. */
  named(run: Running, kind: RecordKind, ids: readonly number[]): Promise<void>
}

interface DirectoryRunsOptions {
  db: Db
  directory: Directory
  ledger: Ledger
  batches: Batches
}

const problemsKept = 100
/** How often, and how long apart in milliseconds, a run retries records that another instance is writing. */
const busyTries = 20
const busyWait = 100

/** Compares these records, and has what differs repaired; groups a level of the tree at a time. */
const comparer = ({ ledger, batches }: Pick<DirectoryRunsOptions, 'ledger' | 'batches'>) => {
  /** @param all what is being compared, of which `left` is a part: the rest has its turn, or had it */
  const compareBatch = async (
    run: Running,
    kind: RecordKind,
    left: Set<number>,
    all: ReadonlySet<number>,
  ): Promise<void> => {
    for (let idle = 0; left.size > 0 && idle < busyTries; ) {
      const took = (outcomes: Outcome[]): void => {
        const ours = outcomes.filter(({ id }) => run.takesAll || run.counted.has(id) || all.has(id))
        run.total += ours.filter(({ id }) => isNew(run, id) && !all.has(id)).length
        // Once more where it is now known what is to be done: a group that was moved in the directory, for example.
        const again = new Set(ours.filter((one) => isTriedAtOnce(one) && !run.counted.has(one.id)).map(({ id }) => id))
        tally(run, ours)
        for (const { id } of ours) if (!again.has(id)) left.delete(id)
      }
      const outcomes = await batches.step(kind, { ids: [...left], onlyPending: false }, took)
      // A group may be waiting for its parent, which is due, and which no other code writes during this run.
      const others = outcomes.length > 0 ? [] : await batches.step(kind, 'due', took)
      idle = outcomes.length > 0 || others.some(({ action }) => action !== 'failed') ? 0 : idle + 1
      if (idle === 0 || left.size === 0) continue
      const gone = await ledger.gone(kind, [...left])
      run.total -= gone.length
      for (const id of gone) left.delete(id)
      if (left.size > 0) await delay(busyWait)
    }
    for (const id of left) {
      const reason = 'another instance is writing it, or its parent group is not there yet'
      const advice = 'it follows by itself'
      count(run, id, 'failed', { sourceId: String(id), name: '', step: 'compare', reason, advice })
    }
  }

  return async (run: Running, kind: RecordKind, ids: readonly number[]): Promise<void> => {
    const all = new Set(ids)
    for (const level of kind === 'group' ? await ledger.levels(ids) : [ids]) {
      for (let start = 0; start < level.length; start += batchSize.user) {
        await compareBatch(run, kind, new Set(level.slice(start, start + batchSize.user)), all)
      }
    }
  }
}

export const directoryRuns = ({ db, directory, ledger, batches }: DirectoryRunsOptions): DirectoryRuns => {
  /** What the last comparison saw. */
  const fingerprints = new Map<RecordKind, number>()

  const compareAll = comparer({ ledger, batches })

  const whole = async (run: Running, kind: RecordKind): Promise<void> => {
    // If the directory was emptied, the base entry and the units may be missing too.
    await ensureLayout(directory).catch(outOfService)
    const drift = await findDrift(db, directory, kind)
    await ledger.reconsider(kind, { parked: fingerprints.get(kind) !== drift.fingerprint })
    fingerprints.set(kind, drift.fingerprint)
    run.total = drift.total
    run.unchanged = drift.unchanged
    run.seenUnchanged = drift.isUnchanged
    await compareAll(run, kind, drift.suspects)
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
    const advice = 'nothing is lost: a few are retried at a time, and all of them as soon as one is accepted'
    run.problems.unshift({ sourceId: '', name: '', step: 'write', reason, advice })
  }

  return {
    whole,

    async everything(run, kind) {
      run.takesAll = true
      // Before the comparison: what it cannot write is not tried again at once.
      await ledger.hurry()
      await whole(run, kind)
      await due(run, kind)
    },

    async pending(run, kind) {
      await ledger.hurry()
      await due(run, kind)
    },

    async named(run, kind, ids) {
      run.total = ids.length
      // Who asks for it by name has it tried, whatever came of the last tries.
      await ledger.dueNow(kind, ids)
      await compareAll(run, kind, ids)
    },
  }
}

const isTriedAtOnce = ({ result, delay }: Outcome): boolean => result === 'retry' && delay === 0

const isNew = (run: Running, id: number): boolean => !run.counted.has(id) && !run.seenUnchanged(id)

const count = (run: Running, id: number, as: Count, problem: RunProblem | null): void => {
  const earlier = run.counted.get(id)
  if (earlier === undefined) {
    if (run.seenUnchanged(id)) run.unchanged--
  } else {
    run[earlier.as]--
    run.problems = run.problems.filter((one) => one !== earlier.problem)
  }
  run.counted.set(id, { as, problem })
  run[as]++
  if (problem !== null && run.problems.length < problemsKept) run.problems.push(problem)
}

/** What was done first is what a record counts as, unless something failed: then the last has the say. */
const tally = (run: Running, outcomes: readonly Outcome[]): void => {
  for (const one of outcomes) {
    const earlier = run.counted.get(one.id)
    if (one.action === 'failed') count(run, one.id, 'failed', problemOf(one))
    else if (earlier === undefined || earlier.as === 'failed') {
      count(run, one.id, one.action === 'removed' ? 'updated' : one.action, null)
    }
  }
}

const problemOf = ({ id, name, error, result }: Outcome): RunProblem => ({
  sourceId: String(id),
  name,
  step: 'write',
  reason: error,
  advice:
    result === 'parked'
      ? 'change the record, or repair the directory and synchronize again'
      : 'it is retried by itself',
})

export const emptyRun = (): Running => ({
  completed: true,
  total: 0,
  added: 0,
  updated: 0,
  moved: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  problems: [],
  counted: new Map(),
  seenUnchanged: () => false,
  takesAll: false,
})

const orphanProblem = (dn: string): RunProblem => ({
  sourceId: '',
  name: dn,
  step: 'compare',
  reason: 'the entry belongs to no record',
  advice: 'add the person or group, or delete the entry if it is not needed',
})
