import { allDone } from '../../concurrency/all-done.ts'
import { openBrake } from '../../ldap/brake.ts'
import type { BeforeWrite, Directory } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory.ts'
import { parseDn } from '../../ldap/dn.ts'
import { isServerRefusal } from '../../ldap/result-code.ts'
import type { GroupClass } from '../entry/entry-shape.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Intent } from '../ledger/places.ts'
import type { Claimed } from '../ledger/record-rows.ts'
import {
  addAside,
  canStepAside,
  goesBelowItself,
  mayAddAside,
  mayStepAside,
  notPermitted,
  permissionsFor,
  stepAside,
} from '../plan/intents.ts'
import { belowItself, type Obstructed, type Outcome } from '../plan/outcome.ts'
import type { Plan } from '../plan/plan.ts'
import { type PlanBatchOptions, planBatch } from '../plan/plan-batch.ts'
import { putBack } from '../plan/strayed-entries.ts'
import { despiteRefusal } from './despite-refusal.ts'
import { leaveNames } from './left-names.ts'
import { openParking } from './parking.ts'
import { releaseMembersBelow } from './released-members.ts'
import { transactBatch } from './transact-batch.ts'
import { writeOne } from './write-one.ts'

export interface ConvergeOptions extends PlanBatchOptions {
  groupClass: GroupClass
  directory: Directory
  ledger: Ledger
  /**
   * Called when a group that was moved in the directory was moved back, or its new DN was stored: more groups may have
   * been moved.
   */
  foundMoved: () => void
}

/**
 * Makes the entries of a claim equal to their records: read, compare, write only the differences. Each record is an
 * item that gets a sighting, then a plan, then an intent in the ledger, and finally an outcome. It is level-triggered:
 * the result does not depend on what happened before, or on how often it runs. A refused record does not affect the
 * others.
 * @param requireLease throws if the lease is lost: nothing more is written, because another instance may be writing
 * @returns outcomes in several parts. The caller writes each part to the ledger before it asks for the next: removals
 *   make DNs free for the writes that follow
 * @throws DirectoryError `unavailable` without a code if the directory is not available: then the state of the other
 *   items is unknown, and `targetDn` says where their entries may be.
 */
export const converge = ({ foundMoved, ...options }: ConvergeOptions) =>
  async function* (claim: Claimed, requireLease: BeforeWrite): AsyncGenerator<Outcome[]> {
    const { ledger, groupClass, foundForeignChange } = options
    const directory = whileLeased(options.directory, requireLease)
    const { transactions } = await directory.features()
    const ahead = claim.kind === 'user' ? claim.ahead : undefined
    const reading = claim.read ? { ...directory, read: claim.read } : directory
    const { removals, others, strayed, obstructed, outcomes, moved } =
      ahead?.plan ?? (await planBatch({ ...options, directory: reading, addsUntried: true }, claim))

    const parking = openParking(directory, ledger, claim)
    const beforeRename = async (from: string, to: string): Promise<void> => {
      if (claim.kind === 'group') await releaseMembersBelow({ directory, ledger, claim, groupClass }, from, to)
    }
    const oneByOne = writeOne({ directory, ledger, kind: claim.kind, parking, beforeRename, foundForeignChange })

    for (const together of deepestFirst(removals)) {
      const permissionOf = await permissionsFor(ledger, claim, together)
      const removed = await allDone(
        together.map(async (one) => {
          const permission = permissionOf(one)
          return permission === 'noted' ? oneByOne(one) : notPermitted(one, permission)
        }),
      )
      yield await leaveNames({ directory, ledger, claim, beforeRename }, together, removed)
    }

    const permitted = await sortByPermission({ ledger, claim, foundForeignChange }, others, ahead?.intents)
    const { allowed, steppingAside, addedAside, uncertain } = permitted
    outcomes.push(...uncertain)
    const waiting = [...obstructed, ...permitted.waiting]
    const despite = waiting.map(({ one, outcome }) => despiteRefusal(directory, one, one.writes, outcome))
    outcomes.push(...(await allDone(despite)))
    outcomes.push(...(await stepAside({ directory, ledger, claim, beforeRename }, steppingAside)))
    outcomes.push(...(await addAside({ ledger, claim, oneByOne }, addedAside)))
    outcomes.push(...(await putBack({ directory, ledger, claim, foundForeignChange }, strayed)))
    outcomes.push(...(await writeAll(transactions ? directory : null, allowed, oneByOne)))
    if (outcomes.some(({ id, unseen, result }) => moved.has(id) && !unseen && result !== 'unsent')) foundMoved()
    if (outcomes.length > 0) yield outcomes
  }

/** Plans by what the ledger permits. */
interface ByPermission {
  /** They are carried out. */
  allowed: Plan[]
  /** Their entries take a temporary name, because another record needs their DN. */
  steppingAside: Plan[]
  /** Their entries are added under a temporary name, because their DN is not free yet. */
  addedAside: Plan[]
  /** They wait for their DN. */
  waiting: Obstructed[]
  /** The outcomes of those whose own DN may have changed. */
  uncertain: Outcome[]
}

/** @param intended intents that were stored before. Default: none */
const sortByPermission = async (
  { ledger, claim, foundForeignChange }: Pick<ConvergeOptions, 'ledger' | 'foundForeignChange'> & { claim: Claimed },
  plans: readonly Plan[],
  intended?: readonly Intent[],
): Promise<ByPermission> => {
  const inward = plans.filter(goesBelowItself)
  const outward = plans.filter((one) => !goesBelowItself(one))
  const permissionOf = await permissionsFor(ledger, claim, outward, intended)
  const wanted = await ledger.wantedElsewhere(
    inward.flatMap(({ item: { id }, found }) => (found ? [{ id, dn: found.dn }] : [])),
  )
  const steppingAside = inward.filter((one) => wanted.has(one.item.id) && canStepAside(claim.kind, one))
  const waiting = inward
    .filter((one) => !steppingAside.includes(one))
    .map((one): Obstructed => ({ one, outcome: belowItself(one) }))
  const sorted: ByPermission = { allowed: [], steppingAside, addedAside: [], waiting, uncertain: [] }
  for (const one of outward) {
    const permission = permissionOf(one)
    if (one.found === null && one.item.dn !== null && permission !== 'uncertain') foundForeignChange()
    if (permission === 'noted') sorted.allowed.push(one)
    else if (permission === 'leaving' && mayStepAside(claim.kind, one)) steppingAside.push(one)
    else if (permission === 'leaving' && mayAddAside(claim.kind, one)) sorted.addedAside.push(one)
    else if (permission === 'uncertain') sorted.uncertain.push(notPermitted(one, permission))
    else waiting.push({ one, outcome: notPermitted(one, permission) })
  }
  return sorted
}

/** A directory that accepts writes while the lease is held, unless the server refuses all of them. */
const whileLeased = (directory: Directory, requireLease: BeforeWrite): Directory => {
  const brake = openBrake()
  return {
    ...directory,
    transact: (writes) => directory.transact(writes, requireLease),
    async write(change, _, added) {
      const beforeWrite = (): void => {
        requireLease()
        brake.check()
      }
      try {
        await directory.write(change, beforeWrite, added)
        brake.accepted()
      } catch (error) {
        if (error instanceof DirectoryError && isServerRefusal(error)) brake.refused(error)
        throw error
      }
    },
  }
}

/** Deeper entries before the entries above them; items without an entry last. */
const deepestFirst = (removals: readonly Plan[]): Plan[][] => {
  const levels = new Map<number, Plan[]>()
  for (const one of removals) {
    const depth = one.found === null ? 0 : parseDn(one.found.dn).length
    const level = levels.get(depth)
    if (level === undefined) levels.set(depth, [one])
    else level.push(one)
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, together]) => together)
}

/** @param transacting null: records are written one by one */
const writeAll = async (
  transacting: Directory | null,
  plans: readonly Plan[],
  oneByOne: (one: Plan) => Promise<Outcome>,
): Promise<Outcome[]> => {
  const early = transacting && (await transactBatch(transacting, plans, oneByOne))
  return allDone(plans.map(async (one) => early?.get(one) ?? oneByOne(one)))
}
