import { allDone } from '../all-done.ts'
import type { Directory } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { verifyPassword } from '../ldap-server/password.ts'
import { type GroupClass, groupAttributeNames, userAttributeNames } from './entry-shape.ts'
import { groupItem, type Item, userItem, withPassword } from './item.ts'
import type { Ledger } from './ledger.ts'
import type { Claim } from './ledger-claim.ts'
import { backoff, nameTaken, type Outcome, obstructed, outcomeOf, refusedByServer, retry, unheld } from './outcome.ts'
import type { PasswordTerms } from './password-merge.ts'
import { schemeOf } from './password-values.ts'
import { type Plan, uuidOf } from './plan.ts'
import { type ProtectedPlaces, protectedPlaces } from './protected-places.ts'
import { looker, obstacleTo, placeInTheWay, planFor, type Sighting, uuidInTheWay } from './sighting.ts'
import { comesBack, findStrayed, isStrayed, staysAway, wentAlong } from './strayed-entries.ts'
import type { RecordKind } from './touch.ts'

export interface PlanBatchOptions {
  directory: Directory
  ledger: Ledger
  groupClass: GroupClass
  /** What is known of passwords on this connection, once these schemes were tried. */
  passwordTerms: (schemes: ReadonlySet<string>) => Promise<PasswordTerms>
  /** Called when an entry is missing that should exist: the directory was changed by another tool. */
  surprised: () => void
}

/** What is to be done with the items of a claim. Nothing is written yet. */
export interface BatchPlan {
  removals: Plan[]
  /** All that have an entry, or are to have one. */
  others: Plan[]
  /** Groups to be put back where they were before anything else is done with them. */
  strayed: Sighting[]
  /** Those that nothing is done with now. */
  outcomes: Outcome[]
  /** Ids of the groups whose entries were moved in the directory. */
  moved: ReadonlySet<number>
}

/** Attempts after which an entry that cannot be read is retried only on request. */
const readTries = 3

/** Reads the records of a claim, looks at their entries and compares the two. @throws DirectoryError */
export const planBatch = async (options: PlanBatchOptions, claim: Claim): Promise<BatchPlan> => {
  const { directory, ledger, groupClass } = options
  const { kind } = claim
  const items = await itemsOf(options, claim)
  const terms = await options.passwordTerms(schemesOf(items))
  const { entryCsn } = await directory.features()
  const managed = kind === 'user' ? userAttributeNames : groupAttributeNames(groupClass)
  const attributes = [...managed, 'entryUUID', ...(entryCsn ? ['entryCSN'] : [])]
  const places = await protectedPlaces(directory)
  const look = looker({ directory, attributes, managed, places, passwordReadable: terms.shown })

  const { seen, outcomes } = await lookAtAll(items, look)
  const sightings = await findStrayed({ directory, ledger, kind, attributes, places }, seen)
  const contested = await ledger.heldElsewhere(kind, sightings.flatMap(placeInTheWay))
  const strayed = kind === 'group' ? sightings.filter(isStrayed) : []
  const judge = await judgeMoved(options, sightings, { kind, strayed, contested, places })

  const plan: BatchPlan = { removals: [], others: [], strayed: [], outcomes, moved: idsOf(strayed) }
  for (const one of sightings) {
    const judgement = judge(one)
    if (judgement === 'putBack') plan.strayed.push(one)
    else if (judgement !== null) outcomes.push(judgement)
    else {
      const obstacle = obstacleTo(one, { places, isHeld: contested.has(one.item.id) })
      const planned = await planOne(one, obstacle, terms)
      if ('result' in planned) outcomes.push(planned)
      else (planned.item.wanted === null ? plan.removals : plan.others).push(planned)
    }
  }
  return plan
}

const idsOf = (sightings: readonly Sighting[]): ReadonlySet<number> => new Set(sightings.map(({ item }) => item.id))

const itemsOf = async ({ directory, ledger, groupClass }: PlanBatchOptions, claim: Claim): Promise<Item[]> => {
  const { baseDn } = directory
  return claim.kind === 'user'
    ? (await ledger.users(claim.ids)).map((row) => userItem(row, baseDn))
    : (await ledger.groups(claim.ids)).map((row) => groupItem(row, baseDn, groupClass))
}

const schemesOf = (items: readonly Item[]): Set<string> =>
  new Set(items.flatMap(({ enabled, secret }) => (enabled && secret !== null ? [schemeOf(secret) ?? ''] : [])))

/** @returns what was seen, and what became of those that could not be looked at, or wait for a group above them */
const lookAtAll = async (
  items: readonly Item[],
  look: (item: Item) => Promise<Sighting>,
): Promise<{ seen: Sighting[]; outcomes: Outcome[] }> => {
  const seen: Sighting[] = []
  const outcomes: Outcome[] = []
  const see = async (item: Item): Promise<void> => {
    try {
      if (item.waiting === '') seen.push(await look(item))
      else outcomes.push(wait(item, item.targetDn === null ? null : await look(item)))
    } catch (error) {
      outcomes.push(unreadable(item, error))
    }
  }
  await allDone(items.map(see))
  return { seen, outcomes }
}

/** Where an interrupted write took it is looked up all the same: what is below it waits for that. */
const wait = (item: Item, sighting: Sighting | null): Outcome => {
  const waits = { ...outcomeOf(item, 'waiting', 'failed'), error: item.waiting }
  if (sighting === null) return { ...waits, unseen: true }
  const { found } = sighting
  return { ...waits, dn: found?.dn ?? null, entryUuid: uuidOf(found) ?? item.entryUuid }
}

/**
 * An entry that cannot be read (`other`: it is damaged, say) is its record's problem; after the third time an
 * administrator has to look at it. @throws what is about the directory
 */
const unreadable = (item: Item, error: unknown): Outcome => {
  if (!(error instanceof DirectoryError) || !error.answered) throw error
  if (error.kind === 'unavailable' && error.code !== resultCodes.other) throw error
  const failed = { ...outcomeOf(item, 'parked', 'failed'), unseen: true, error: error.message }
  if (error.code === resultCodes.other) {
    return item.attempts < readTries ? { ...failed, result: 'retry', delay: backoff(item.attempts) } : failed
  }
  return isServerRefusal(error)
    ? { ...failed, ...refusedByServer({ item, found: null }, error), dn: item.dn, unseen: true }
    : failed
}

interface MovedGroups {
  kind: RecordKind
  strayed: readonly Sighting[]
  /** Ids of those whose place another record holds. */
  contested: ReadonlySet<number>
  places: ProtectedPlaces
}

/**
 * Says of each what it comes to that entries of groups were moved: its own, or one that is in its way now.
 * @returns null: nothing, it goes to where it is to be as all others do
 */
const judgeMoved = async (
  { ledger, surprised }: PlanBatchOptions,
  sightings: readonly Sighting[],
  { kind, strayed, contested, places }: MovedGroups,
): Promise<(one: Sighting) => Outcome | 'putBack' | null> => {
  const along = wentAlong(strayed)
  const known = await ledger.knownElsewhere(kind, kind === 'group' ? sightings.flatMap(uuidInTheWay) : [])
  const isStray = new Set(strayed)
  return (one) => {
    const { item, found } = one
    const isTaken = contested.has(item.id) || known.has(item.id)
    if (along.has(one)) return comesBack(one)
    if (isStray.has(one) && !places.holdsAccount(found?.dn ?? '')) {
      if (item.wanted?.dn !== item.dn) return 'putBack'
      return isTaken ? staysAway(one) : null
    }
    if (!isTaken || contested.has(item.id)) return null
    // It waits until the other one was found, too: as long as the ledger does not know where that is, neither gives
    // way.
    surprised()
    return nameTaken(one)
  }
}

/** @returns the outcome of one that nothing is written for now, in place of a plan */
const planOne = async (sighting: Sighting, obstacle: string, terms: PasswordTerms): Promise<Plan | Outcome> => {
  const item = await provenPassword(withPassword(sighting.item, sighting.found?.entry ?? null, terms))
  const seen = { ...sighting, item }
  const plan = planFor(seen, obstacle, terms.digest)
  if (plan === null) return obstructed({ ...seen, obstacle })
  if (plan.unheld) return unheld(plan)
  return isUnsettled(plan) ? { ...retry(plan), delay: 0, error: 'a write of it was interrupted' } : plan
}

/**
 * A value of the directory that the text of our own hash opens was made from that text, by a server that took it for
 * clear text: it is not the password of a person, and is removed.
 */
const provenPassword = async (item: Item): Promise<Item> => {
  if (item.wanted === null || !item.password?.adopt || item.secret === null) return item
  if (!(await verifyPassword(item.password.adopt, item.secret))) return item
  const attributes = { ...item.wanted.attributes, userPassword: [] }
  return { ...item, wanted: { ...item.wanted, attributes }, password: { ...item.password, values: [], adopt: null } }
}

/**
 * An interrupted write took it elsewhere, or was to: where it is, is noted before anything else, or the next
 * interruption loses it, or takes what is at the other place for it.
 */
const isUnsettled = ({ item, found }: Plan): boolean => {
  if (found === null) return false
  if (item.wanted === null) return found.dn === item.dn && item.targetDn !== null && item.targetDn !== item.dn
  // If another tool moved it, it is found by its entryUUID.
  return found.dn === item.targetDn && found.dn !== item.dn && found.dn !== item.wanted.dn
}
