import type { Directory } from '../../ldap/directory.ts'
import type { Claimed, PlannedAhead } from '../ledger/record-rows.ts'
import { itemsOf } from './claim-items.ts'
import { intentOf } from './intents.ts'
import { type BatchPlan, lookAtClaim, type PlanBatchOptions, type PlanningLedger, planBatch } from './plan-batch.ts'

/** Something was needed that would have to be waited for. */
class NotAtHand extends Error {}

const notAtHand = (): never => {
  throw new NotAtHand()
}

const unlessNone = async <T>(asked: readonly unknown[], none: T): Promise<T> =>
  asked.length === 0 ? none : notAtHand()

const nothingAtHand: PlanningLedger = {
  users: notAtHand,
  groups: notAtHand,
  heldElsewhere: (_, places) => unlessNone(places, new Set()),
  knownElsewhere: (_, entries) => unlessNone(entries, new Set()),
  kept: notAtHand,
  assignEntryNames: notAtHand,
  assignNumbers: notAtHand,
  storeTakenKeys: notAtHand,
}

/**
 * Plans the entries of people who are added by the transaction that has claimed them, which is still open: so neither the
 * database nor the directory is asked. Of people who have entries it foresees where these are moved.
 * @returns null: something is not at hand, or there is more to do than that. It is planned after the commit
 */
export const aheadPlanner = (options: PlanBatchOptions) => {
  const { directory } = options
  const atHand = { ...options, directory: { ...directory, read: notAtHand, search: notAtHand }, ledger: nothingAtHand }
  return async (claim: Claimed): Promise<PlannedAhead | null> => {
    if (claim.kind !== 'user' || claim.ids.length === 0 || !claim.rows) return null
    if (!claim.rows.every(({ untried, facts }) => untried && facts !== null)) return inThisTurn(moved(atHand, claim))
    const plan = await inThisTurn(planBatch({ ...atHand, addsUntried: true }, claim))
    if (plan === null || plan.others.length !== claim.ids.length || !plan.others.every(isAddition)) return null
    return { plan, intents: plan.others.flatMap((one) => intentOf('user', one)) }
  }
}

/** What the directory has told before is at hand in the same turn of the event loop. null: anything else takes longer. */
const inThisTurn = <T>(planning: Promise<T>): Promise<T | null> =>
  Promise.race([planning.catch(() => null), new Promise<null>((resolve) => setImmediate(resolve, null))])

/**
 * The intents of people whose entries are to be moved, if these are found where the ledger says. An entry without a known
 * entryUUID would have to be read for it, and so would one that an interrupted add may have put there: until its entryUUID
 * is stored, it is known by the digest of that add alone, which such an intent would replace.
 */
const moved = async (options: PlanBatchOptions, claim: Claimed): Promise<PlannedAhead | null> => {
  const { items } = await itemsOf(options, claim)
  const intents = items.flatMap(({ id, wanted, dn: from, targetDn, entryUuid: uuid, addDigest }) =>
    wanted === null || wanted.dn === from || from === null || targetDn !== null || uuid === null || addDigest !== null
      ? []
      : [{ id, dn: wanted.dn, from, fromTarget: null, found: true, uuid, digest: null }],
  )
  return intents.length === 0 ? null : { plan: null, intents }
}

/**
 * Milliseconds after which an entry that was read ahead is read again: what came in between, such as a lock that the commit
 * waited for or a directory that was away, may have taken long.
 */
const freshFor = 1000

/**
 * Begins to read the entries of records that were claimed, while other statements of their transaction are under way. They
 * are held already, and read as the claim holds them; what is read is given to the claim.
 */
export const aheadReader = (options: PlanBatchOptions) => {
  const { directory } = options
  return (claim: Claimed): void => {
    if (!claim.rows?.some(({ untried }) => !untried)) return
    const begun = new Map<string, ReturnType<Directory['read']>>()
    const since = performance.now()
    const begin: Directory['read'] = (dn, attributes) => {
      const reading = directory.read(dn, attributes)
      begun.set(keyOf(dn, attributes), reading)
      return reading
    }
    // What fails here, or is not at hand, is asked for again when it is needed.
    lookAtClaim({ ...options, directory: { ...directory, read: begin }, ledger: nothingAtHand }, claim).catch(() => {})
    claim.read = async (dn, attributes) => {
      const key = keyOf(dn, attributes)
      const reading = performance.now() - since < freshFor ? begun.get(key) : undefined
      begun.delete(key)
      return (await reading?.catch(() => null)) ?? directory.read(dn, attributes)
    }
  }
}

const keyOf = (dn: string, attributes: readonly string[]): string => JSON.stringify([dn, attributes])

const isAddition = ({ unsearched, writes }: BatchPlan['others'][number]): boolean =>
  unsearched === true && writes[0]?.kind === 'add'
