import { allDone } from '../all-done.ts'
import type { Directory, Permit } from './directory.ts'
import { DirectoryError } from './directory.ts'
import { parseDn } from './dn.ts'
import { type GroupClass, memberAttribute } from './entry-shape.ts'
import type { Ledger } from './ledger.ts'
import type { Claim } from './ledger-claim.ts'
import type { Intent, Permission } from './ledger-places.ts'
import { asidePlace } from './places.ts'
import { type Found, groupItem, type Item, plan, userItem } from './plan.ts'
import { backoff, type Converged, nameTaken, outcome, type Planned, retry } from './planned.ts'
import { resultCodes } from './result-code.ts'
import type { RecordKind } from './touch.ts'
import { transactBatch } from './transact-batch.ts'
import { writeOne } from './write-one.ts'

export interface ConvergeOptions {
  directory: Directory
  ledger: Ledger
  groupClass: GroupClass
  /** Whether the directory shows `userPassword` to us; learnt when the connection is made. */
  passwordReadable: () => boolean
  /** Called when an entry that should be there is not: somebody changed the directory behind our back. */
  surprised: () => void
}

/** Tries after which an entry that cannot be read is left alone until somebody asks for it. */
const readTries = 3
/** Tries after which a record whose name is taken by another that waits, too, steps aside for it. */
const patience = 2

const userAttributeNames = [
  ...['objectClass', 'uid', 'cn', 'sn', 'displayName', 'givenName', 'mail', 'mobile', 'employeeNumber', 'title'],
  ...['departmentNumber', 'ou', 'description', 'postalAddress', 'userPassword'],
]

/**
 * Makes the entries of a claimed batch equal to their rows: read, compare, write only what differs. It is
 * level-triggered: whatever happened before, and however often it runs, the end is the same. A refused record does not
 * touch the others.
 * @param permit throws when the lease is lost: nothing is written any more, because somebody else may be writing
 * @returns what became of some of them, to be written down before the others are gone on with: removals make room
 * @throws DirectoryError `unavailable` without a code when the directory is out of reach: then nothing is known of
 * the others but that `targetDn` says where their entries may be.
 */
export const converge = ({ directory: unguarded, ledger, groupClass, passwordReadable, surprised }: ConvergeOptions) =>
  async function* (claim: Claim, permit: Permit): AsyncGenerator<Converged[]> {
    const directory: Directory = {
      ...unguarded,
      write: (change) => unguarded.write(change, permit),
      transact: (writes) => unguarded.transact(writes, permit),
    }
    const { baseDn } = directory
    const items: Item[] =
      claim.kind === 'user'
        ? (await ledger.users(claim.ids)).map((row) => userItem(row, baseDn))
        : (await ledger.groups(claim.ids)).map((row) => groupItem(row, baseDn, groupClass))
    const features = await directory.features()
    const wantedNames =
      claim.kind === 'user'
        ? userAttributeNames
        : ['objectClass', 'cn', 'ou', 'description', memberAttribute(groupClass)]
    const attributes = features.entryCsn ? [...wantedNames, 'entryCSN'] : wantedNames

    const find = async (item: Item): Promise<Found | null> => {
      for (const dn of new Set([item.dn, item.targetDn])) {
        const entry = dn === null ? null : await directory.read(dn, attributes)
        if (dn !== null && entry !== null) return { dn, entry }
      }
      return null
    }

    /** Where an interrupted write took it is looked up all the same: what is below it waits for that. */
    const wait = async (item: Item): Promise<Converged> => {
      const waits = { ...outcome(item, 'waiting', 'failed'), error: item.waiting }
      return item.targetDn === null ? { ...waits, unseen: true } : { ...waits, dn: (await find(item))?.dn ?? null }
    }

    const settled: Converged[] = []
    const removals: Planned[] = []
    const others: Planned[] = []
    const look = async (item: Item): Promise<void> => {
      try {
        if (item.waiting !== '') return void settled.push(await wait(item))
        const found = await find(item)
        const planned = { item, found, writes: plan(item, found, passwordReadable()) }
        if (isUnsettled(planned)) settled.push({ ...retry(planned), delay: 0, error: 'a write of it was interrupted' })
        else (item.wanted === null ? removals : others).push(planned)
      } catch (error) {
        settled.push(unreadable(item, error))
      }
    }
    await allDone(items.map(look))

    const oneByOne = writeOne({ directory, ledger, kind: claim.kind, attributes, passwordReadable, surprised })
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
    settled.push(...(await stepAside({ directory, ledger, claim, blocking })))
    const early = features.transactions ? await transactBatch(directory, allowed, oneByOne) : nothingYet
    settled.push(...(await allDone(allowed.map(async (one) => early.get(one) ?? oneByOne(one)))))
    if (settled.length > 0) yield settled
  }

/**
 * An interrupted write took it elsewhere, or was to: where it is, is noted before anything else, or the next interruption
 * loses it, or takes what is at the other place for it.
 */
const isUnsettled = ({ item, found }: Planned): boolean => {
  if (found === null) return false
  if (item.wanted === null) return found.dn === item.dn && item.targetDn !== null && item.targetDn !== item.dn
  return found.dn !== item.dn && found.dn !== item.wanted.dn
}

/** None for what is not written, nor for people who stay where they are: no group takes them along when it moves. */
const intentOf = (kind: RecordKind, { item, found, writes }: Planned): Intent[] => {
  const { id, dn: from, targetDn: fromTarget, wanted } = item
  const stays = wanted?.dn === from
  if (wanted === null ? found === null : stays && (kind === 'user' || writes.length === 0)) return []
  return [{ id, dn: wanted?.dn ?? null, from, fromTarget, found: found !== null }]
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
  if (permission === 'uncertain')
    return { ...retry(one), unseen: true, error: 'it is being moved, or a group above it' }
  const waits = nameTaken(one)
  return permission === 'leaving' ? { ...waits, delay: Math.min(waits.delay, 2000) } : waits
}

interface StepAsideOptions extends Pick<ConvergeOptions, 'directory' | 'ledger'> {
  claim: Claim
  blocking: readonly Planned[]
}

/** Those that want each other's names would wait for ever; they take names nobody wants meanwhile. */
const stepAside = async ({ directory, ledger, claim, blocking }: StepAsideOptions): Promise<Converged[]> => {
  const asides = blocking.flatMap((one) => (one.found ? [{ one, from: one.found.dn }] : []))
  const intents = asides.map(({ one: { item }, from }): Intent => {
    const dn = asidePlace(claim.kind, item.id, from)
    return { id: item.id, dn, from: item.dn, fromTarget: item.targetDn, found: true }
  })
  const permissions = await ledger.intend(claim, intents)
  return allDone(
    asides.map(async ({ one, from }) => {
      const newDn = asidePlace(claim.kind, one.item.id, from)
      const permission = permissions.get(one.item.id) ?? 'uncertain'
      if (permission !== 'noted') return held(one, permission)
      try {
        await directory.write({ kind: 'rename', dn: from, newDn })
        return { ...held(one, 'leaving'), dn: newDn, delay: backoff(0) }
      } catch (error) {
        if (!(error instanceof DirectoryError) || !error.answered) throw error
        return { ...held(one, 'leaving'), unseen: error.kind === 'unavailable', error: error.message }
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
  const passing = error.kind === 'unavailable' && item.attempts < readTries
  return passing ? { ...failed, outcome: 'retry', delay: backoff(item.attempts) } : failed
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
