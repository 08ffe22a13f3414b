import { NotSent } from '../../ldap/brake.ts'
import type { Directory, Entry } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { anyOf, equals } from '../../ldap/filter.ts'
import { isServerRefusal, resultCodes } from '../../ldap/result-code.ts'
import { spelled } from '../../ldap/spelling.ts'
import type { ProtectedPlaces } from '../entry/protected-places.ts'
import type { Claim } from '../ledger/claim.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { statements } from '../statements.ts'
import type { RecordKind } from '../touch.ts'
import { type Outcome, refusedByServer, retry, uncertain } from './outcome.ts'
import { type Plan, uuidOf } from './plan.ts'
import type { Sighting } from './sighting.ts'
import { nearestAbove } from './subtree-moves.ts'

/*
 * Entries that were moved or renamed in the directory. They are found by their entryUUIDs and moved back to the DN in
 * the ledger. If a second entry were added instead, the first would still authenticate the person, or keep the members
 * of the group, after changes of the record. On a server without entryUUIDs a moved entry cannot be recognized: it stays,
 * as an orphan entry.
 *
 * All groups below a group move with it. They are not moved back one by one: the ledger keeps their DNs, which are right
 * again when the group was moved back. The `memberOf` values that slapd's overlay wrote are right then too: the overlay
 * does not follow a rename of an entry above a group (see released-members.ts).
 */

export interface StrayedOptions {
  directory: Pick<Directory, 'baseDn' | 'search'>
  ledger: Pick<Ledger, 'heldElsewhere'>
  kind: RecordKind
  /** The attributes that are read. */
  attributes: string[]
  places: ProtectedPlaces
}

/** The number of entries per search. */
const together = 50

/** The number of attempts to wait for a missing parent entry. */
const maxAttempts = 2

/**
 * Searches the whole base for entries that are not at their DN in the ledger.
 *
 * If many people are missing and none of the first is found, the directory was emptied, and the others are not searched.
 * Groups are all searched: one that was moved has others below it.
 * @throws DirectoryError when the directory does not answer
 */
export const findStrayed = async (options: StrayedOptions, seen: readonly Sighting[]): Promise<Sighting[]> => {
  const missing = seen.filter(({ item, found }) => found === null && item.entryUuid !== null)
  const entries = new Map<string, Entry>()
  for (let start = 0; start < missing.length; start += together) {
    const uuids = missing.slice(start, start + together).flatMap(({ item }) => item.entryUuid ?? [])
    for (const entry of await entriesNamed(options, uuids)) {
      entries.set(entry.attributes.entryUUID?.[0]?.toLowerCase() ?? '', entry)
    }
    if (entries.size === 0 && options.kind === 'user') return [...seen]
  }
  if (entries.size === 0) return [...seen]
  const found = missing.flatMap(({ item: { id, entryUuid: uuid } }) => {
    const entry = entries.get(uuid ?? '')
    return entry === undefined ? [] : [{ id, uuid, dn: spelled(entry.dn), entry }]
  })
  const held = await options.ledger.heldElsewhere(options.kind, found)
  const strayed = new Map(found.filter(({ id }) => !held.has(id)).map(({ id, dn, entry }) => [id, { dn, entry }]))
  return seen.map((one) => ({ ...one, found: one.found ?? strayed.get(one.item.id) ?? null }))
}

const entriesNamed = async ({ directory, attributes, places }: StrayedOptions, uuids: readonly string[]) => {
  const filter = anyOf(...uuids.map((uuid) => equals('entryUUID', uuid)))
  const entries: Entry[] = []
  try {
    for await (const page of directory.search(directory.baseDn, { scope: 'sub', filter, attributes })) {
      entries.push(...page.filter((entry) => places.reasonOf(entry) === null))
    }
  } catch (error) {
    // If the server refuses the search, or cannot read an entry during it, nothing is known about the others.
    if (!(error instanceof DirectoryError) || !error.answered) throw error
  }
  return entries
}

/** Whether its entry is at a DN to which Steward did not move it. */
export const isStrayed = ({ item, found }: Pick<Plan, 'item' | 'found'>): boolean =>
  found !== null && item.dn !== null && ![item.dn, item.targetDn, item.wanted?.dn].includes(found.dn)

/** Entries that moved only because a group above them was moved: they move back with it. */
export const wentAlong = (strayed: readonly Sighting[]): ReadonlySet<Sighting> => {
  const moves = strayed.flatMap(({ item, found }) => (item.dn && found ? [{ from: item.dn, to: found.dn }] : []))
  const isAlong = ({ item: { dn }, found }: Sighting): boolean => {
    const above = dn === null ? undefined : nearestAbove(dn, moves)
    return above !== undefined && dn !== null && found?.dn === dn.slice(0, -above.from.length) + above.to
  }
  return new Set(strayed.filter(isAlong))
}

/** The DN in the ledger is kept, because a group above the entry will be moved back. */
export const comesBack = (one: Sighting): Outcome => ({
  ...retry(one),
  unseen: true,
  delay: 0,
  error: statements.group_above_moved(),
})

/** The entry cannot be moved back now: the ledger stores the DN at which it was found, also for entries below it. */
export const staysAway = (one: Sighting): Outcome => ({ ...retry(one), delay: 0, error: statements.moved_away() })

export interface PutBackOptions {
  directory: Pick<Directory, 'write'>
  ledger: Pick<Ledger, 'intend'>
  claim: Claim
  /** Called when an entry above one of them is missing. */
  foundForeignChange: () => void
}

/**
 * Moves groups back to their DN in the ledger before they are renamed, moved or removed, so that the DNs of entries
 * below them are right too.
 * @throws DirectoryError
 */
export const putBack = async (
  { directory, ledger, claim, foundForeignChange }: PutBackOptions,
  strayed: readonly Sighting[],
): Promise<Outcome[]> => {
  const intents = strayed.map(({ item: { id, dn, targetDn }, found }) => ({
    ...{ id, dn, from: dn, fromTarget: targetDn, found: false, uuid: uuidOf(found), digest: null },
  }))
  const permissions = await ledger.intend(claim, intents)
  const rename = async (one: Sighting, from: string, home: string): Promise<Outcome> => {
    try {
      await directory.write({ kind: 'rename', dn: from, newDn: home })
      return { ...staysAway(one), dn: home }
    } catch (error) {
      const failed = { ...retry(one), unseen: true }
      if (error instanceof NotSent) return { ...failed, result: 'unsent', delay: 0, error: error.stated }
      if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
      if (isServerRefusal(error)) return { ...refusedByServer(one, error), unseen: true }
      if (error.code !== resultCodes.noSuchObject || one.item.attempts >= maxAttempts) return staysAway(one)
      foundForeignChange()
      return { ...failed, error: error.stated }
    }
  }
  const settled: Outcome[] = []
  // Higher groups first: the DNs of groups below may depend on them.
  const ordered = [...strayed].sort((a, b) => (a.item.dn?.length ?? 0) - (b.item.dn?.length ?? 0))
  for (const one of ordered) {
    const { item, found } = one
    if (item.dn === null || found === null) continue
    const permission = permissions.get(item.id)
    if (permission === 'noted') settled.push(await rename(one, found.dn, item.dn))
    else settled.push(permission === 'uncertain' ? uncertain(one) : staysAway(one))
  }
  return settled
}
