import { allDone } from '../all-done.ts'
import { NotSent, openBrake } from '../ldap/brake.ts'
import type { Directory, Permit } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory.ts'
import { parseDn } from '../ldap/dn.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { verifyPassword } from '../ldap-server/password.ts'
import { type GroupClass, groupAttributeNames, userAttributeNames } from './entry-shape.ts'
import type { Ledger } from './ledger.ts'
import type { Claim } from './ledger-claim.ts'
import type { Intent, Permission } from './ledger-places.ts'
import { addDigest } from './ownership.ts'
import { openParking } from './parking.ts'
import type { PasswordTerms } from './password-merge.ts'
import { schemeOf } from './password-values.ts'
import { asidePlace } from './places.ts'
import { groupItem, type Item, userItem, withPassword } from './plan.ts'
import {
  backoff,
  type Converged,
  nameTaken,
  obstructed,
  outcome,
  type Planned,
  refusedByServer,
  retry,
  uncertain,
  unheld,
  unsent,
  uuidOf,
} from './planned.ts'
import { protectedPlaces } from './protected-places.ts'
import { releaseMembersBelow } from './released-members.ts'
import { looker, obstacleTo, placeInTheWay, planFor, type Sighting, uuidInTheWay } from './sighting.ts'
import { comesBack, findStrayed, isStrayed, putBack, staysAway, wentAlong } from './strayed-entries.ts'
import type { RecordKind } from './touch.ts'
import { transactBatch } from './transact-batch.ts'
import { writeOne } from './write-one.ts'

export interface ConvergeOptions {
  directory: Directory
  ledger: Ledger
  groupClass: GroupClass
  /** What is known of passwords on this connection, once these schemes were tried. */
  passwordTerms: (schemes: ReadonlySet<string>) => Promise<PasswordTerms>
  /** Called when an entry that should be there is not: somebody changed the directory behind our back. */
  surprised: () => void
  /** Called when a group that was moved in the directory is back, or known where it is: more may have been moved. */
  foundMoved: () => void
}

/** Tries after which an entry that cannot be read is left alone until somebody asks for it. */
const readTries = 3
/** Tries after which a record whose name is taken by another that waits, too, steps aside for it. */
const patience = 2

/**
 * Makes the entries of a claimed batch equal to their rows: read, compare, write only what differs. It is
 * level-triggered: whatever happened before, and however often it runs, the end is the same. A refused record does not
 * touch the others.
 * @param permit throws when the lease is lost: nothing is written any more, because somebody else may be writing
 * @returns what became of some of them, to be written down before the others are gone on with: removals make room
 * @throws DirectoryError `unavailable` without a code when the directory is out of reach: then nothing is known of
 * the others but that `targetDn` says where their entries may be.
 */
export const converge = (options: ConvergeOptions) => {
  const { directory: unguarded, ledger, groupClass, passwordTerms, surprised, foundMoved } = options
  return async function* (claim: Claim, permit: Permit): AsyncGenerator<Converged[]> {
    const brake = openBrake()
    const directory: Directory = {
      ...unguarded,
      transact: (writes) => unguarded.transact(writes, permit),
      async write(change) {
        try {
          await unguarded.write(change, () => {
            permit()
            brake.check()
          })
          brake.accepted()
        } catch (error) {
          if (error instanceof DirectoryError && isServerRefusal(error)) brake.refused(error)
          throw error
        }
      },
    }
    const { baseDn } = directory
    const items: Item[] =
      claim.kind === 'user'
        ? (await ledger.users(claim.ids)).map((row) => userItem(row, baseDn))
        : (await ledger.groups(claim.ids)).map((row) => groupItem(row, baseDn, groupClass))
    const terms = await passwordTerms(schemesOf(items))
    const features = await directory.features()
    const managed = claim.kind === 'user' ? userAttributeNames : groupAttributeNames(groupClass)
    const attributes = [...managed, 'entryUUID', ...(features.entryCsn ? ['entryCSN'] : [])]
    const places = await protectedPlaces(directory)
    const look = looker({ directory, attributes, managed, places, passwordReadable: terms.shown })

    const settled: Converged[] = []
    const removals: Planned[] = []
    const others: Planned[] = []
    const seen: Sighting[] = []
    const see = async (item: Item): Promise<void> => {
      try {
        if (item.waiting === '') seen.push(await look(item))
        else settled.push(wait(item, item.targetDn === null ? null : await look(item)))
      } catch (error) {
        settled.push(unreadable(item, error))
      }
    }
    await allDone(items.map(see))
    const sighted = await findStrayed({ directory, ledger, kind: claim.kind, attributes, places }, seen)
    const contested = await ledger.heldElsewhere(claim.kind, sighted.flatMap(placeInTheWay))
    const strayed = claim.kind === 'group' ? sighted.filter(isStrayed) : []
    const along = wentAlong(strayed)
    const swapped = await ledger.knownElsewhere(claim.kind, strayed.flatMap(uuidInTheWay))
    const toPutBack: Sighting[] = []
    for (const one of sighted) {
      if (along.has(one)) {
        settled.push(comesBack(one))
        continue
      }
      if (strayed.includes(one) && !places.holdsAccount(one.found?.dn ?? '')) {
        if (one.item.wanted?.dn !== one.item.dn) {
          toPutBack.push(one)
          continue
        }
        if (contested.has(one.item.id) || swapped.has(one.item.id)) {
          settled.push(staysAway(one))
          continue
        }
      }
      const obstacle = obstacleTo(one, { places, isHeld: contested.has(one.item.id) })
      const item = await provenPassword(withPassword(one.item, one.found?.entry ?? null, terms))
      const sighting = { ...one, item }
      const planned = planFor(sighting, obstacle, terms.digest)
      if (planned === null) settled.push(obstructed({ ...sighting, obstacle }))
      else if (planned.unheld) settled.push(unheld(planned))
      else if (isUnsettled(planned))
        settled.push({ ...retry(planned), delay: 0, error: 'a write of it was interrupted' })
      else (item.wanted === null ? removals : others).push(planned)
    }

    const parking = openParking(directory, ledger, claim)
    const beforeRename = async (from: string, to: string): Promise<void> => {
      if (claim.kind === 'group') await releaseMembersBelow({ directory, ledger, claim, groupClass }, from, to)
    }
    const oneByOne = writeOne({ directory, ledger, kind: claim.kind, parking, beforeRename, surprised })
    const ask = async (planned: readonly Planned[]): Promise<(one: Planned) => Permission> => {
      const permissions = await ledger.intend(
        claim,
        planned.flatMap((one) => intentOf(claim.kind, one)),
      )
      // Whoever needs none was not asked about.
      return ({ item }) => permissions.get(item.id) ?? 'noted'
    }
    for (const together of deepestFirst(removals)) {
      const permissionOf = await ask(together)
      yield await allDone(
        together.map(async (one) => {
          const permission = permissionOf(one)
          return permission === 'noted' ? oneByOne(one) : held(one, permission)
        }),
      )
    }

    const permissionOf = await ask(others)
    const allowed: Planned[] = []
    const blocking: Planned[] = []
    for (const one of others) {
      const permission = permissionOf(one)
      if (one.found === null && one.item.dn !== null && permission !== 'uncertain') surprised()
      if (permission === 'noted') allowed.push(one)
      else if (permission === 'leaving' && mayStepAside(claim.kind, one)) blocking.push(one)
      else settled.push(held(one, permission))
    }
    settled.push(...(await stepAside({ directory, ledger, claim, blocking, beforeRename })))
    settled.push(...(await putBack({ directory, ledger, claim, surprised }, toPutBack)))
    const early = features.transactions ? await transactBatch(directory, allowed, oneByOne) : nothingYet
    settled.push(...(await allDone(allowed.map(async (one) => early.get(one) ?? oneByOne(one)))))
    const moved = new Set(strayed.map(({ item }) => item.id))
    if (settled.some(({ id, unseen, outcome }) => moved.has(id) && !unseen && outcome !== 'unsent')) foundMoved()
    if (settled.length > 0) yield settled
  }
}

/**
 * An interrupted write took it elsewhere, or was to: where it is, is noted before anything else, or the next interruption
 * loses it, or takes what is at the other place for it.
 */
const isUnsettled = ({ item, found }: Planned): boolean => {
  if (found === null) return false
  if (item.wanted === null) return found.dn === item.dn && item.targetDn !== null && item.targetDn !== item.dn
  // Where somebody else took it, it is found again by its name.
  return found.dn === item.targetDn && found.dn !== item.dn && found.dn !== item.wanted.dn
}

/** None for what is not written, nor for people who stay where they are: no group takes them along when it moves. */
const intentOf = (kind: RecordKind, { item, found, writes, obstacle }: Planned): Intent[] => {
  const { id, dn: from, targetDn: fromTarget, wanted } = item
  const [first] = writes
  const digest = first?.kind === 'add' ? addDigest(first.attributes) : null
  const stays = wanted?.dn === from && digest === null
  if (obstacle !== '' || (wanted === null ? found === null : stays && (kind === 'user' || writes.length === 0)))
    return []
  const isThere = found !== null && !isStrayed({ item, found })
  return [{ id, dn: wanted?.dn ?? null, from, fromTarget, found: isThere, uuid: uuidOf(found), digest }]
}

/** Where an interrupted write took it is looked up all the same: what is below it waits for that. */
const wait = (item: Item, sighting: Sighting | null): Converged => {
  const waits = { ...outcome(item, 'waiting', 'failed'), error: item.waiting }
  if (sighting === null) return { ...waits, unseen: true }
  const { found } = sighting
  return { ...waits, dn: found?.dn ?? null, entryUuid: uuidOf(found) ?? item.entryUuid }
}

const schemesOf = (items: readonly Item[]): Set<string> =>
  new Set(items.flatMap(({ enabled, secret }) => (enabled && secret !== null ? [schemeOf(secret) ?? ''] : [])))

/**
 * A value of the directory that the text of our own hash opens was made from that text, by a server that took it for
 * clear text: it is no password of anybody's and is taken away.
 */
const provenPassword = async (item: Item): Promise<Item> => {
  if (item.wanted === null || !item.password?.adopt || item.secret === null) return item
  if (!(await verifyPassword(item.password.adopt, item.secret))) return item
  const attributes = { ...item.wanted.attributes, userPassword: [] }
  return { ...item, wanted: { ...item.wanted, attributes }, password: { ...item.password, values: [], adopt: null } }
}

const nothingYet: ReadonlyMap<Planned, Converged> = new Map()

/** It is to be renamed, and has waited for the name long enough: it may be in somebody's way itself. */
const mayStepAside = (kind: RecordKind, { item, found, writes: [first] }: Planned): boolean =>
  first?.kind === 'rename' &&
  item.attempts >= patience &&
  found !== null &&
  found.dn === item.dn &&
  found.dn !== asidePlace(kind, item.id, found.dn)

/** One that cannot go where it is to be, yet. */
const held = (one: Planned, permission: Exclude<Permission, 'noted'>): Converged => {
  if (permission === 'uncertain') return uncertain(one)
  const waits = nameTaken(one)
  return permission === 'leaving' ? { ...waits, delay: Math.min(waits.delay, 2000) } : waits
}

interface StepAsideOptions extends Pick<ConvergeOptions, 'directory' | 'ledger'> {
  claim: Claim
  blocking: readonly Planned[]
  beforeRename: (from: string, to: string) => Promise<void>
}

/** Those that want each other's names would wait for ever; they take names nobody wants meanwhile. */
const stepAside = async ({
  directory,
  ledger,
  claim,
  blocking,
  beforeRename,
}: StepAsideOptions): Promise<Converged[]> => {
  const asides = blocking.flatMap((one) => (one.found ? [{ one, from: one.found.dn }] : []))
  const intents = asides.map(({ one: { item, found }, from }): Intent => {
    const dn = asidePlace(claim.kind, item.id, from)
    const before = { from: item.dn, fromTarget: item.targetDn, found: true, uuid: uuidOf(found), digest: null }
    return { id: item.id, dn, ...before }
  })
  const permissions = await ledger.intend(claim, intents)
  return allDone(
    asides.map(async ({ one, from }) => {
      const newDn = asidePlace(claim.kind, one.item.id, from)
      const permission = permissions.get(one.item.id) ?? 'uncertain'
      if (permission !== 'noted') return held(one, permission)
      try {
        await beforeRename(from, newDn)
        await directory.write({ kind: 'rename', dn: from, newDn })
        return { ...held(one, 'leaving'), dn: newDn, delay: backoff(0) }
      } catch (error) {
        if (error instanceof NotSent) return unsent(one, error.message)
        if (!(error instanceof DirectoryError) || !error.answered) throw error
        const failed = isServerRefusal(error) ? refusedByServer(one, error) : held(one, 'leaving')
        return { ...failed, unseen: error.kind === 'unavailable', error: error.message }
      }
    }),
  )
}

/**
 * An entry that cannot be read (`other`: it is damaged, say) is its record's problem, from the third time on somebody
 * has to look at it. @throws what is about the directory
 */
const unreadable = (item: Item, error: unknown): Converged => {
  if (!(error instanceof DirectoryError) || !error.answered) throw error
  if (error.kind === 'unavailable' && error.code !== resultCodes.other) throw error
  const failed = { ...outcome(item, 'parked', 'failed'), unseen: true, error: error.message }
  if (error.code === resultCodes.other) {
    return item.attempts < readTries ? { ...failed, outcome: 'retry', delay: backoff(item.attempts) } : failed
  }
  return isServerRefusal(error)
    ? { ...failed, ...refusedByServer({ item, found: null }, error), dn: item.dn, unseen: true }
    : failed
}

/** What lies deepest before what it lies in; those that are not there at the end. */
const deepestFirst = (removals: readonly Planned[]): Planned[][] => {
  const levels = new Map<number, Planned[]>()
  for (const one of removals) {
    const depth = one.found === null ? 0 : parseDn(one.found.dn).length
    const level = levels.get(depth)
    if (level === undefined) levels.set(depth, [one])
    else level.push(one)
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, together]) => together)
}
