import { allDone } from '../../concurrency/all-done.ts'
import { type Directory, DirectoryError } from '../../ldap/directory.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import { type Outcome, retry, searchNext, success } from '../plan/outcome.ts'
import { isLeaveWrite, type Plan } from '../plan/plan.ts'
import { named } from './write-one.ts'

/**
 * The number of records from which a transaction is faster in spite of its pause (see transaction.ts). It contains only
 * adds and modifies: servers differ in how they repair references after renames and deletes.
 */
const worthATransaction = 100
/**
 * How many records with new content are tried alone: if none of them can be added, the others must not wait for more
 * attempts.
 */
const aheadTries = 8
/** How often a transaction is retried without the refused write, before records are written one by one. */
const transactionTries = 4

/**
 * The fast path: all writes of the batch in one transaction, after the writes that bring attributes or classes that are
 * new to the directory. A refused write is taken out of the transaction and handled alone; the rest is retried.
 * @returns the outcomes of the items that are done
 */
export const transactBatch = async (
  directory: Directory,
  planned: readonly Plan[],
  oneByOne: (one: Plan) => Promise<Outcome>,
): Promise<ReadonlyMap<Plan, Outcome>> => {
  const settled = new Map<Plan, Outcome>()
  let batch = planned.filter(
    ({ item, writes, foreign }) =>
      foreign === null &&
      writes.length > 0 &&
      writes.every((one) => one.kind === 'add' || (one.kind === 'modify' && !isLeaveWrite(item, one))),
  )
  /** A change by another program at this moment is found by the next comparison. */
  const written = async (one: Plan): Promise<[Plan, Outcome]> => {
    const done = success(one)
    try {
      return [one, await named(directory, done)]
    } catch (error) {
      if (!(error instanceof DirectoryError) || !error.answered) throw error
      return [one, { ...retry(one), unseen: true, error: error.stated }]
    }
  }
  const write = async (one: Plan): Promise<void> => void settled.set(one, await oneByOne(one))
  // A refused write stores nothing, so the next one with the same content is tried.
  for (let tries = 0; ; tries++) {
    const ahead = bringingNew(directory, batch)
    if (ahead.size === 0) break
    if (tries === aheadTries || batch.length - ahead.size < worthATransaction) return settled
    await allDone([...ahead].map(write))
    batch = batch.filter((one) => !ahead.has(one))
  }
  for (let tries = 0; tries < transactionTries && batch.length >= worthATransaction; tries++) {
    try {
      await directory.transact(batch.flatMap((one) => one.writes))
      for (const [one, done] of await allDone(batch.map(written))) settled.set(one, done)
      break
    } catch (error) {
      if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
      if (isServerRefusal(error)) break
      const refused = culprit(batch, error.index)
      // If the entry of one exists, those of others may too: search them before the next attempt.
      const taken =
        error.code === resultCodes.entryAlreadyExists ? await alreadyThere(directory, batch) : new Set<Plan>()
      if (refused === null && taken.size === 0) break
      for (const one of taken) if (one.unsearched) settled.set(one, searchNext(one))
      batch = batch.filter((one) => one !== refused && !taken.has(one))
    }
  }
  return settled
}

/** As few items as possible that together contain everything that is new to the directory. */
const bringingNew = (directory: Directory, batch: readonly Plan[]): Set<Plan> => {
  const chosen = new Set<Plan>()
  const brought = new Set<string>()
  for (const one of batch) {
    const fresh = one.writes.flatMap(directory.newIn).filter((attribute) => !brought.has(attribute))
    if (fresh.length > 0) chosen.add(one)
    for (const attribute of fresh) brought.add(attribute)
  }
  return chosen
}

/** The items whose entry exists or cannot be read: they are handled one by one. */
const alreadyThere = async (directory: Directory, batch: readonly Plan[]): Promise<Set<Plan>> => {
  const isThere = async (dn: string): Promise<boolean> => {
    try {
      return (await directory.read(dn, ['objectClass'])) !== null
    } catch (error) {
      if (!(error instanceof DirectoryError) || !error.answered) throw error
      return true
    }
  }
  const looked = await allDone(
    batch.map(async (one) => {
      const [first] = one.writes
      return first?.kind === 'add' && (await isThere(first.dn)) ? one : null
    }),
  )
  return new Set(looked.filter((one) => one !== null))
}

const culprit = (batch: readonly Plan[], index: number | undefined): Plan | null => {
  if (index === undefined) return null
  let position = 0
  for (const one of batch) {
    position += one.writes.length
    if (index < position) return one
  }
  return null
}
