import { isDeepStrictEqual } from 'node:util'
import { allDone } from '../../concurrency/all-done.ts'
import { NotSent } from '../../ldap/brake.ts'
import { type Directory, DirectoryError } from '../../ldap/directory.ts'
import { parseDn } from '../../ldap/dn.ts'
import { isServerRefusal } from '../../ldap/result-code.ts'
import { asidePlace } from '../entry/places.ts'
import type { Claim } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Intent, Permission } from '../ledger/places.ts'
import type { RecordKind } from '../touch.ts'
import { giveUpAccountName } from './account-names.ts'
import { backoff, nameTaken, type Outcome, refusedByServer, uncertain, unsent } from './outcome.ts'
import { addDigest } from './ownership.ts'
import { mainWrite, type Plan, uuidOf } from './plan.ts'
import { isStrayed } from './strayed-entries.ts'
import { isBelow } from './subtree-moves.ts'

/**
 * The number of attempts after which a record takes a temporary name, because its DN belongs to another record that
 * waits too.
 */
const maxAttempts = 2

/**
 * Stores the intents of these plans: the DNs that the writes will use.
 * @param intended those that were stored before. Default: none
 * @returns what the ledger permits for each plan
 */
export const permissionsFor = async (
  ledger: Pick<Ledger, 'intend'>,
  claim: Claim,
  plans: readonly Plan[],
  intended: readonly Intent[] = [],
): Promise<(one: Plan) => Permission> => {
  const stored = new Map(intended.map((one) => [one.id, one]))
  const permissions = await ledger.intend(
    claim,
    plans.flatMap((one) => intentOf(claim.kind, one)).filter((one) => !isDeepStrictEqual(one, stored.get(one.id))),
  )
  // The ledger was not asked about writes that need no permission, or have it.
  return ({ item }) => permissions.get(item.id) ?? 'noted'
}

/**
 * Plans without writes need no intent, nor do entries that stay where they were found, nor people who are removed: their
 * entries are where the ledger says, whatever is moved meanwhile. A group may be moved together with
 * one above it after that: then the directory has no entry there, and the write is tried again.
 */
export const intentOf = (kind: RecordKind, { item, found, writes, obstacle }: Plan): Intent[] => {
  const { id, dn: from, targetDn: fromTarget, wanted } = item
  const [first] = writes
  const digest = first?.kind === 'add' ? addDigest(first.attributes) : null
  const stays = wanted?.dn === from && digest === null
  const asFound = kind === 'user' || (found?.dn === from && fromTarget === null)
  if (
    obstacle !== null ||
    (wanted === null ? kind === 'user' || found === null : stays && (asFound || writes.length === 0))
  )
    return []
  const isThere = found !== null && !isStrayed({ item, found })
  return [{ id, dn: wanted?.dn ?? null, from, fromTarget, found: isThere, uuid: uuidOf(found), digest }]
}

/** The outcome for a record that cannot get its DN yet. */
export const notPermitted = (one: Plan, permission: Exclude<Permission, 'noted'>): Outcome => {
  if (permission === 'uncertain') return uncertain(one)
  const waits = nameTaken(one)
  return permission === 'leaving' ? { ...waits, delay: Math.min(waits.delay, 2000) } : waits
}

/** It has to be renamed and has waited long enough for the name: it may block another record itself. */
export const mayStepAside = (kind: RecordKind, one: Plan): boolean =>
  mainWrite(one.writes)?.kind === 'rename' && one.item.attempts >= maxAttempts && canStepAside(kind, one)

/** The same of a group that has no entry yet: the group that has its DN may be meant to be below it. */
export const mayAddAside = (kind: RecordKind, { item, found, writes }: Plan): boolean =>
  kind === 'group' &&
  mainWrite(writes)?.kind === 'add' &&
  item.attempts >= maxAttempts &&
  found === null &&
  item.dn === null &&
  item.targetDn === null

/** It is where the ledger says, and has not stepped aside yet. */
export const canStepAside = (kind: RecordKind, { item, found }: Plan): boolean =>
  found !== null && found.dn === item.dn && found.dn !== asidePlace(kind, item.id, found.dn)

/**
 * A group that is to be below one that is still below it, as where the two change places: no entry can be moved below
 * itself. Where another one needs its name to get out it gives that up, and otherwise it keeps it for as long as that takes.
 */
export const goesBelowItself = ({ item: { wanted }, found }: Plan): boolean =>
  wanted !== null && found !== null && isBelow(wanted.dn, found.dn)

export interface StepAsideOptions {
  directory: Pick<Directory, 'write'>
  ledger: Pick<Ledger, 'intend'>
  claim: Claim
  /** Called before an entry is renamed. */
  beforeRename: (from: string, to: string) => Promise<void>
}

/** Records that need each other's DNs would wait forever. They take temporary names in the meantime. */
export const stepAside = async (
  { directory, ledger, claim, beforeRename }: StepAsideOptions,
  blocking: readonly Plan[],
): Promise<Outcome[]> => {
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
      if (permission !== 'noted') return notPermitted(one, permission)
      try {
        await beforeRename(from, newDn)
        await directory.write({ kind: 'rename', dn: from, newDn })
        await giveUpAccountName(directory, one, newDn, newDn)
        return { ...notPermitted(one, 'leaving'), dn: newDn, delay: backoff(0) }
      } catch (error) {
        if (error instanceof NotSent) return unsent(one, error.stated)
        if (!(error instanceof DirectoryError) || !error.answered) throw error
        const failed = isServerRefusal(error) ? refusedByServer(one, error) : notPermitted(one, 'leaving')
        return { ...failed, unseen: error.kind === 'unavailable', error: error.stated }
      }
    }),
  )
}

export interface AddAsideOptions extends Pick<StepAsideOptions, 'ledger' | 'claim'> {
  oneByOne: (one: Plan) => Promise<Outcome>
}

/** Adds the entries of groups whose DNs other records wait to leave under temporary names in the meantime. */
export const addAside = async (
  { ledger, claim, oneByOne }: AddAsideOptions,
  blocking: readonly Plan[],
): Promise<Outcome[]> => {
  const asides = blocking.map((one) => renamedAside(claim.kind, one))
  const permissionOf = await permissionsFor(ledger, claim, asides)
  return allDone(
    asides.map(async (one) => {
      const permission = permissionOf(one)
      if (permission !== 'noted') return notPermitted(one, permission)
      const done = await oneByOne(one)
      if (done.result !== 'in_sync') return done
      return { ...notPermitted(one, 'leaving'), dn: done.dn, entryUuid: done.entryUuid, delay: backoff(0) }
    }),
  )
}

const renamedAside = (kind: RecordKind, one: Plan): Plan => {
  const { item, writes } = one
  const [first] = writes
  if (item.wanted === null || first?.kind !== 'add') return one
  const dn = asidePlace(kind, item.id, item.wanted.dn)
  const { type = '', value = '' } = parseDn(dn)[0]?.[0] ?? {}
  const account = first.attributes.sAMAccountName === undefined ? {} : { sAMAccountName: [value] }
  const attributes = { ...first.attributes, [type]: [value], ...account }
  return { ...one, item: { ...item, wanted: { ...item.wanted, dn } }, writes: [{ ...first, dn, attributes }] }
}
