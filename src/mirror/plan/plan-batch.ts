import { allDone } from '../../concurrency/all-done.ts'
import type { Statement } from '../../failures/statement.ts'
import type { Directory } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import { verifyPassword } from '../../ldap-server/authentication/password.ts'
import { valuesPerRequest } from '../entry/compare.ts'
import type { DirectorySchema } from '../entry/directory-schema.ts'
import type { EntryForm } from '../entry/entry-form.ts'
import type { PosixSettings } from '../entry/posix.ts'
import { type OwnEntry, type ProtectedPlaces, protectedPlaces, systemAttribute } from '../entry/protected-places.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Taken } from '../ledger/record-rows.ts'
import type { OtherHashes } from '../passwords/other-hashes.ts'
import type { PasswordTerms } from '../passwords/password-merge.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { computedControl, withAccount } from './account.ts'
import { itemsOf } from './claim-items.ts'
import { type Item, withPassword } from './item.ts'
import {
  backoff,
  nameTaken,
  type Obstructed,
  type Outcome,
  obstructedAt,
  outcomeOf,
  refusedByServer,
  removalHeld,
  retry,
  unheld,
} from './outcome.ts'
import { type Plan, uuidOf } from './plan.ts'
import { schemesHeld, schemesOf } from './schemes.ts'
import { isJustAsKnown, looker, obstacleTo, placeInTheWay, planFor, type Sighting, uuidInTheWay } from './sighting.ts'
import { comesBack, findStrayed, isStrayed, staysAway, wentAlong } from './strayed-entries.ts'

/** What planning needs of the directory: it reads, and cannot write. */
export type ReadableDirectory = Pick<Directory, 'baseDn' | 'bindDn' | 'features' | 'read' | 'search'>

/** What planning needs of the ledger. The last three store what the plans rest on, unless they are those of a dry run. */
export type PlanningLedger = Pick<
  Ledger,
  | 'users'
  | 'groups'
  | 'heldElsewhere'
  | 'knownElsewhere'
  | 'kept'
  | 'assignEntryNames'
  | 'assignNumbers'
  | 'storeTakenKeys'
>

export interface PlanBatchOptions {
  directory: ReadableDirectory
  ledger: PlanningLedger
  form: EntryForm
  /** What is known about passwords on this connection, after these schemes were tested. */
  passwordTerms: (schemes: ReadonlySet<string>) => Promise<PasswordTerms>
  /** The schema that the server publishes; null: it publishes none. */
  schema: () => Promise<DirectorySchema | null>
  /** null: POSIX_ACCOUNTS=off. */
  posix: PosixSettings | null
  openHash: OtherHashes['open']
  ownEntry: OwnEntry
  /** Whether people who were never tried are added without a search: see sighting.ts. Default: false. */
  addsUntried?: boolean
  /** Called when an entry is missing that should exist: another program has changed the directory. */
  foundForeignChange: () => void
}

/** The plans for the items of a claim. Nothing is written yet. */
export interface BatchPlan {
  removals: Plan[]
  /** All items that have an entry or should have one. */
  others: Plan[]
  /** Groups that are moved back before anything else is written for them. */
  strayed: Sighting[]
  /** Items whose entries cannot leave their DNs: what lets people in is written there; see despite-refusal.ts. */
  obstructed: Obstructed[]
  /** The outcomes of items for which nothing is written now. */
  outcomes: Outcome[]
  /** Ids of the groups whose entries were moved in the directory. */
  moved: ReadonlySet<number>
}

/** Attempts after which an entry that cannot be read is retried only on request. */
const readTries = 3

/** The items of a claim, and what was found of their entries. */
interface Looked {
  all: Item[]
  seen: Sighting[]
  /** Of items that could not be read, or wait for a group above them. */
  outcomes: Outcome[]
  attributes: string[]
  places: ProtectedPlaces
  terms: PasswordTerms
}

/** Reads the records of a claim, and looks at their entries. @throws DirectoryError */
export const lookAtClaim = async (options: PlanBatchOptions, claim: Taken): Promise<Looked> => {
  const { directory, form } = options
  const { items: all, layout } = await itemsOf(options, claim)
  const items = all.filter((item) => !isHeld(item))
  const terms = await options.passwordTerms(schemesOf(items))
  const { entryCsn } = await directory.features()
  const extras = items.flatMap((item) => item.extras.map(({ attribute }) => attribute))
  const managed = [...(claim.kind === 'user' ? form.userAttributeNames : form.groupAttributeNames), ...new Set(extras)]
  const attributes = [
    ...managed,
    'entryUUID',
    ...(entryCsn ? ['entryCSN'] : []),
    ...(form.kind === 'active-directory' ? [systemAttribute, computedControl] : []),
  ]
  const places = await protectedPlaces(directory, options.ownEntry, layout)
  const isAdded = (item: Item): boolean => options.addsUntried === true && claim.kind === 'user' && isNew(item, form)
  const look = looker({ directory, attributes, managed, places, passwordReadable: terms.shown, isAdded })

  const { seen, outcomes } = await lookAtAll(items, look)
  // What was read of such a group is not enough for anything else.
  if (seen.some((one) => one.item.notedOnly && !isJustAsKnown(one))) {
    return lookAtClaim(options, { ...claim, rows: null })
  }
  const held = seen.flatMap((one) => schemesHeld(one, terms))
  const known = held.length === 0 ? terms : await options.passwordTerms(new Set(held))
  return { all, seen, outcomes, attributes, places, terms: known }
}

/** Reads the records of a claim, looks at their entries and compares the two. @throws DirectoryError */
export const planBatch = async (options: PlanBatchOptions, claim: Taken): Promise<BatchPlan> => {
  const { directory, ledger, form } = options
  const { kind } = claim
  const { all, seen, outcomes, attributes, places, terms } = await lookAtClaim(options, claim)
  const sightings = await findStrayed({ directory, ledger, kind, attributes, places }, seen)
  const contested = await ledger.heldElsewhere(kind, sightings.flatMap(placeInTheWay))
  const strayed = kind === 'group' ? sightings.filter(isStrayed) : []
  const judge = await judgeMoved(options, sightings, { kind, strayed, contested, places })

  outcomes.push(...all.filter(isHeld).map(removalHeld))
  const plan: BatchPlan = { removals: [], others: [], strayed: [], obstructed: [], outcomes, moved: idsOf(strayed) }
  for (const one of sightings) {
    const judgement = judge(one)
    if (judgement === 'putBack') plan.strayed.push(one)
    else if (judgement !== null) outcomes.push(judgement)
    else {
      const obstacle = obstacleTo(one, { places, isHeld: contested.has(one.item.id) })
      const planned = await planOne(one, obstacle, { form, terms })
      if ('result' in planned) outcomes.push(planned)
      else if ('outcome' in planned) plan.obstructed.push(planned)
      else (planned.item.wanted === null ? plan.removals : plan.others).push(planned)
    }
  }
  return plan
}

const isHeld = ({ wanted, deleted, held }: Item): boolean => wanted === null && !deleted && held

const idsOf = (sightings: readonly Sighting[]): ReadonlySet<number> => new Set(sightings.map(({ item }) => item.id))

/** In Active Directory names are taken by accounts in other places too, which the answer to an add does not tell apart. */
const isNew = ({ untried, wanted }: Item, form: EntryForm): boolean =>
  untried && wanted !== null && form.kind === 'generic'

/** @returns the sightings, and the outcomes of items that could not be read, or wait for a group above them */
const lookAtAll = async (
  items: readonly Item[],
  look: (item: Item) => Promise<Sighting>,
): Promise<{ seen: Sighting[]; outcomes: Outcome[] }> => {
  const seen: Sighting[] = []
  const outcomes: Outcome[] = []
  const see = async (item: Item): Promise<void> => {
    try {
      if (item.waiting === null) seen.push(await look(item))
      else outcomes.push(wait(item, item.targetDn === null ? null : await look(item)))
    } catch (error) {
      outcomes.push(unreadable(item, error))
    }
  }
  await allDone(items.map(see))
  return { seen, outcomes }
}

/** The DN to which an interrupted write moved it is searched in any case, because entries below it wait for it. */
const wait = (item: Item, sighting: Sighting | null): Outcome => {
  const waits = { ...outcomeOf(item, 'waiting', 'failed'), error: item.waiting }
  if (sighting === null) return { ...waits, unseen: true }
  const { found } = sighting
  return { ...waits, dn: found?.dn ?? null, entryUuid: uuidOf(found) ?? item.entryUuid }
}

/**
 * An entry that cannot be read (`other`, for example because it is damaged) affects only its record; after the third
 * attempt an administrator has to repair it. @throws errors that do not depend on the entry
 */
const unreadable = (item: Item, error: unknown): Outcome => {
  if (!(error instanceof DirectoryError) || !error.answered) throw error
  if (error.kind === 'unavailable' && error.code !== resultCodes.other) throw error
  const failed = { ...outcomeOf(item, 'parked', 'failed'), unseen: true, error: error.stated }
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
  /** The ids of the items whose DN belongs to another record. */
  contested: ReadonlySet<number>
  places: ProtectedPlaces
}

/**
 * The outcome of an item if the entry of a group was moved in the directory: its own entry, or one that has its DN now.
 * @returns null: the item is not affected and gets its DN like all others
 */
const judgeMoved = async (
  { ledger, foundForeignChange }: PlanBatchOptions,
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
    // It waits until the other entry was found too: until the ledger knows its DN, none of the two is moved.
    foundForeignChange()
    return nameTaken(one)
  }
}

/** Where an entry has too many members for one request, it is added with a part of them. */
const planOf = (form: EntryForm, seen: Sighting, obstacle: Statement | null, terms: PasswordTerms): Plan | null => {
  const plan = planFor(seen, obstacle, terms.digest)
  if (plan === null || form.kind === 'generic') return plan
  const [first] = plan.writes
  const { member = [] } = first?.kind === 'add' ? first.attributes : {}
  // What other tools write cannot be told from what the server computes: it stays on the entries of disabled people.
  if (first?.kind !== 'add' || member.length <= valuesPerRequest) return { ...plan, foreign: null }
  const attributes = { ...first.attributes, member: member.slice(0, valuesPerRequest) }
  return { ...plan, foreign: null, writes: [{ ...first, attributes }], isPart: true }
}

/** @returns the outcome of an item for which nothing is written now */
const planOne = async (
  sighting: Sighting,
  obstacle: Statement | null,
  { form, terms }: { form: EntryForm; terms: PasswordTerms },
): Promise<Plan | Obstructed | Outcome> => {
  const entry = sighting.found?.entry ?? null
  const item =
    form.kind === 'active-directory'
      ? withAccount(sighting.item, entry, terms)
      : await provenPassword(withPassword(sighting.item, entry, terms))
  const seen = { ...sighting, item }
  const plan = planOf(form, seen, obstacle, terms)
  if (plan === null) return obstructedAt(seen, obstacle)
  if (plan.unheld) return unheld(plan)
  return isUnsettled(plan) ? { ...retry(plan), delay: 0, error: statements.interrupted() } : plan
}

/**
 * A value of the directory that matches the text of the record's hash was made by a server that treated the hash as
 * clear text: it is not the password of a person, and is removed.
 */
const provenPassword = async (item: Item): Promise<Item> => {
  if (item.wanted === null || !item.password?.adopt || item.secret === null) return item
  if (!(await verifyPassword(item.password.adopt, item.secret))) return item
  const attributes = { ...item.wanted.attributes, userPassword: [] }
  return { ...item, wanted: { ...item.wanted, attributes }, password: { ...item.password, values: [], adopt: null } }
}

/**
 * An interrupted write moved it or was about to: its current DN is stored before anything else. Otherwise the next
 * interruption could lose it, or take another entry for it.
 */
const isUnsettled = ({ item, found }: Plan): boolean => {
  if (found === null) return false
  if (item.wanted === null) return found.dn === item.dn && item.targetDn !== null && item.targetDn !== item.dn
  // If another program moved it, it is found by its entryUUID.
  return found.dn === item.targetDn && found.dn !== item.dn && found.dn !== item.wanted.dn
}
