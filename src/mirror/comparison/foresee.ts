import { allDone } from '../../concurrency/all-done.ts'
import { semaphore } from '../../concurrency/semaphore.ts'
import type { Directory } from '../../ldap/directory.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { foreignOf } from '../entry/foreign-attributes.ts'
import { type GroupLayout, unitsOf } from '../entry/places.ts'
import { readOwnEntry } from '../entry/protected-places.ts'
import type { Book } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { PasswordTerms } from '../passwords/password-merge.ts'
import type { Outcome } from '../plan/outcome.ts'
import { mainWrite, type Plan } from '../plan/plan.ts'
import { type PlanBatchOptions, planBatch, type ReadableDirectory } from '../plan/plan-batch.ts'
import type { Sighting } from '../plan/sighting.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { batchSize } from '../writing/batches.ts'
import { type DirectoryRun, problem, problemsKept, type Running } from './directory-run.ts'
import { findDrift } from './drift.ts'
import { foreseeLedger } from './foresee-ledger.ts'
import { changedBy, type Foreseen, hiddenFields } from './foreseen.ts'

export interface ForeseeOptions extends Pick<PlanBatchOptions, 'form' | 'schema' | 'posix' | 'openHash'> {
  book: Book
  directory: ReadableDirectory & Pick<Directory, 'readWhole'>
  ledger: Ledger
  /** What is known about passwords, without a test. */
  passwordTerms: () => PasswordTerms
}

export interface Foreseeing {
  /** Gets the changes, part after part. */
  onChanges: (changes: readonly Foreseen[]) => Promise<void>
  /** Ends the work between two parts. */
  signal: AbortSignal
}

/** Entries that are read whole at the same time. */
const wholeAtOnce = 8

/**
 * What a comparison of all records would do, counted in `run`. Nothing is written, neither to the directory nor to SQL:
 * what it plans with can only read (see plan-batch.ts). Records that change meanwhile are shown as they were read.
 *
 * What only a write shows is not foreseen: that the directory refuses a value, or that another program is faster.
 * @throws DirectoryError
 */
export const foresee = async (
  options: ForeseeOptions,
  run: Running,
  kind: RecordKind,
  { onChanges, signal }: Foreseeing,
): Promise<void> => {
  const { book, directory, ledger } = options
  await tellMissingLayout(directory, await ledger.groupLayout(), run)
  run.progress(0, null)
  const drift = await findDrift(book, directory, kind)
  const pending = await ledger.pendingIds(kind)
  run.total = drift.total + pending.filter((id) => !drift.isKnown(id)).length
  run.unchanged = drift.unchanged - pending.filter(drift.isUnchanged).length
  run.progress(run.unchanged, run.total)

  const places = new Map<number, string>()
  const planner = openPlanner(options, kind, places)
  const moves = openMoves()
  for (const ids of await partsOf(ledger, kind, [...new Set([...drift.suspects, ...pending])])) {
    signal.throwIfAborted()
    const { changes: planned, unchanged, gone } = await planner(ids)
    const changes = planned.flatMap(moves.without)
    await onChanges(changes)
    for (const one of changes) count(run, one)
    run.unchanged += unchanged + planned.length - changes.length
    run.total -= gone
    run.progress(Math.min(doneIn(run), run.total), run.total)
  }
  for (const dn of drift.orphans.filter((each) => !moves.holds(each))) {
    run.skipped++
    addProblem(run, { name: dn, stated: statements.orphan(), advised: statements.add_or_delete() })
  }
}

/** The entries that would be moved, with those below them. */
const openMoves = () => {
  const moves: { from: string; to: string; key: string }[] = []
  const dnOf = ({ dn }: Foreseen['before']): string => (typeof dn === 'string' ? dn : '')
  return {
    /** The change without a move that follows from that of an entry above. Empty: it changes nothing else. */
    without(change: Foreseen): Foreseen[] {
      if (change.action !== 'move') return [change]
      const [from, to] = [dnOf(change.before), dnOf(change.after)]
      const above = moves.find((each) => from.endsWith(`,${each.from}`))
      if (above === undefined || to !== from.slice(0, -above.from.length) + above.to) {
        moves.push({ from, to, key: keyOfAny(from) })
        return [change]
      }
      const { dn: _from, ...before } = change.before
      const { dn: _to, ...after } = change.after
      const isSame = Object.keys({ ...before, ...after }).length === 0 && change.obstacle === null
      return isSame ? [] : [{ ...change, action: 'update', before, after }]
    },

    /** Whether an entry is at such a place or below it. Such entries move along, and are not counted as orphan entries. */
    holds(dn: string): boolean {
      const key = moves.length === 0 ? '' : keyOfAny(dn)
      return moves.some((each) => key === each.key || key.endsWith(`,${each.key}`))
    },
  }
}

const doneIn = ({ unchanged, added, updated, moved, failed }: DirectoryRun): number =>
  unchanged + added + updated + moved + failed

type ComparisonProblem = Pick<Parameters<typeof problem>[0], 'name' | 'stated' | 'advised'> & { sourceId?: string }

const addProblem = (run: DirectoryRun, { sourceId = '', ...details }: ComparisonProblem): void => {
  if (run.problems.length < problemsKept) run.problems.push(problem({ sourceId, step: 'compare', ...details }))
}

/** As a comparison counts it. */
const count = (run: DirectoryRun, { id, name, action, obstacle }: Foreseen): void => {
  if (obstacle === null) {
    run[action === 'add' ? 'added' : action === 'move' ? 'moved' : 'updated']++
    return
  }
  run.failed++
  const stated = statements.refused({ problem: obstacle })
  addProblem(run, { sourceId: String(id), name, stated, advised: statements.change_or_repair() })
}

const tellMissingLayout = async (
  directory: ReadableDirectory,
  layout: GroupLayout,
  run: DirectoryRun,
): Promise<void> => {
  const { baseDn } = directory
  for (const dn of [baseDn, ...unitsOf(baseDn, layout)]) {
    if ((await directory.read(dn, [])) !== null) continue
    addProblem(run, { name: dn, stated: statements.layout_missing({ dn }), advised: statements.layout_follows() })
  }
}

/** In the parts in which a comparison works; groups one level of the tree after the other. */
const partsOf = async (
  ledger: Pick<Ledger, 'levels'>,
  kind: RecordKind,
  ids: readonly number[],
): Promise<number[][]> => {
  const size = batchSize[kind]
  const levels = kind === 'group' ? await ledger.levels(ids) : [ids]
  return levels.flatMap((level) =>
    Array.from({ length: Math.ceil(level.length / size) }, (_, part) => level.slice(part * size, (part + 1) * size)),
  )
}

interface Part {
  changes: Foreseen[]
  unchanged: number
  /** How many records are gone meanwhile. */
  gone: number
}

const openPlanner = (options: ForeseeOptions, kind: RecordKind, places: Map<number, string>) => {
  const { book, directory, ledger, form, schema, posix, openHash } = options
  const planning: PlanBatchOptions = {
    ...{ directory, form, schema, posix, openHash, foundForeignChange: () => {} },
    ledger: foreseeLedger(ledger, book, places),
    passwordTerms: async () => options.passwordTerms(),
    ownEntry: readOwnEntry(directory),
  }
  const turns = semaphore(wholeAtOnce)
  const foreign = (plan: Plan) => turns.run(() => foreignFields(options, plan))

  return async (ids: number[]): Promise<Part> => {
    const { removals, others, strayed, obstructed, outcomes } = await planBatch(planning, { kind, ids })
    const plans = await allDone([...removals, ...others].map(async (plan) => planned(plan, await foreign(plan))))
    for (const { item, obstacle } of others) {
      if (obstacle === null && item.wanted !== null) places.set(item.id, item.wanted.dn)
    }
    const all = [
      ...plans,
      ...strayed.map(putBack),
      ...obstructed.map(({ outcome }) => unwritten(outcome)),
      ...outcomes.map(unwritten),
    ]
    const changes = all.filter((each) => each !== null)
    return { changes, unchanged: all.length - changes.length, gone: ids.length - all.length }
  }
}

type Fields = Pick<Foreseen, 'before' | 'after'>

/** What would be removed from the entry of a disabled person, or put back on that of an enabled one. */
const foreignFields = async (
  { directory, ledger }: ForeseeOptions,
  { item, found, foreign }: Plan,
): Promise<Fields> => {
  const nothing = { before: {}, after: {} }
  if (foreign === 'strip' && found !== null) {
    const entry = await directory.readWhole(found.dn)
    const there = entry && foreignOf(entry)
    return there === null ? nothing : { before: hiddenFields(Object.keys(there.attributes)), after: {} }
  }
  if (foreign !== 'putBack') return nothing
  const kept = await ledger.kept(item.id)
  return { before: {}, after: hiddenFields(Object.keys(kept?.attributes ?? {})) }
}

const actions = { add: 'add', rename: 'move', modify: 'update', delete: 'remove' } as const

/** null: the entry is as it should be. */
const planned = ({ item, found, writes, obstacle }: Plan, foreign: Fields): Foreseen | null => {
  const { before, after } = changedBy(writes, found?.entry ?? null)
  const fields = { before: { ...foreign.before, ...before }, after: { ...foreign.after, ...after } }
  const adopts = item.password?.adopt ? statements.password_taken_over() : null
  const isSame = Object.keys({ ...fields.before, ...fields.after }).length === 0 && adopts === null
  if (isSame && obstacle === null) return null
  const action = actions[mainWrite(writes)?.kind ?? (found === null ? 'add' : 'modify')]
  return { id: item.id, name: nameOf(item.name, found?.dn ?? item.dn), action, ...fields, obstacle, note: adopts }
}

const nameOf = (name: string, dn: string | null): string => name || (dn ?? '')

const putBack = ({ item, found }: Sighting): Foreseen => ({
  ...{ id: item.id, name: nameOf(item.name, item.dn), action: 'move', obstacle: null, note: null },
  before: { dn: found?.dn ?? null },
  after: { dn: item.wanted?.dn ?? item.dn },
})

/** What is not planned now; null: it is at its place again when a group above it was moved back. */
const unwritten = ({ id, name, dn, error }: Outcome): Foreseen | null => {
  if (error?.code === statements.group_above_moved.code) return null
  const action = dn === null ? 'add' : 'update'
  return { id, name: nameOf(name, dn), action, before: {}, after: {}, obstacle: error, note: null }
}
