import { allDone } from '../all-done.ts'
import { type Directory, DirectoryError } from '../ldap/directory.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { type Outcome, retry, success } from './outcome.ts'
import type { Plan } from './plan.ts'
import { named } from './write-one.ts'

/**
 * From this many records on, a transaction is worth its pause (see transaction.ts). Only adds and modifies go into one:
 * servers repair references after renames and deletes in ways of their own.
 */
const worthATransaction = 100
/** How often records are tried alone for what they bring: where none of them can be added, many wait for nothing. */
const aheadTries = 8
/** How often a transaction is tried again without the write it was refused for, before records go one by one. */
const transactionTries = 4

/**
 * The fast path: all writes of the batch in one transaction, after those that bring what the directory has not stored
 * yet. A write that is refused leaves the batch, and is looked at alone; the rest is tried again.
 * @returns what became of those that are dealt with
 */
export const transactBatch = async (
  directory: Directory,
  planned: readonly Plan[],
  oneByOne: (one: Plan) => Promise<Outcome>,
): Promise<ReadonlyMap<Plan, Outcome>> => {
  const settled = new Map<Plan, Outcome>()
  let batch = planned.filter(
    ({ writes, foreign }) =>
      foreign === null && writes.length > 0 && writes.every(({ kind }) => kind === 'add' || kind === 'modify'),
  )
  /** A change of one of them by another tool at this moment is found at the next look. */
  const written = async (one: Plan): Promise<[Plan, Outcome]> => {
    const done = success(one)
    try {
      return [one, await named(directory, done)]
    } catch (error) {
      if (!(error instanceof DirectoryError) || !error.answered) throw error
      return [one, { ...retry(one), unseen: true, error: error.message }]
    }
  }
  const write = async (one: Plan): Promise<void> => void settled.set(one, await oneByOne(one))
  // One that is refused makes nothing familiar: then it is the next one's turn.
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
      // Nothing was there when the adds were planned. Where one entry is by now, many may be: look before the next try.
      const taken =
        error.code === resultCodes.entryAlreadyExists ? await alreadyThere(directory, batch) : new Set<Plan>()
      if (refused === null && taken.size === 0) break
      batch = batch.filter((one) => one !== refused && !taken.has(one))
    }
  }
  return settled
}

/** As few as bring all that is new to the directory. */
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

/** Those whose entry is there, or cannot be read: each is looked at alone. */
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
