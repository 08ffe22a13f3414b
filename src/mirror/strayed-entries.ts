import { NotSent } from '../ldap/brake.ts'
import type { Directory, Entry } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { anyOf, equals } from '../ldap/filter.ts'
import { isServerRefusal, resultCodes } from '../ldap/result-code.ts'
import { spelled } from '../ldap/spelling.ts'
import type { Ledger } from './ledger.ts'
import type { Claim } from './ledger-claim.ts'
import { type Outcome, refusedByServer, retry, uncertain } from './outcome.ts'
import { type Plan, uuidOf } from './plan.ts'
import type { ProtectedPlaces } from './protected-places.ts'
import type { Sighting } from './sighting.ts'
import { nearestAbove } from './subtree-moves.ts'
import type { RecordKind } from './touch.ts'

/*
 * Entries that an administrator moved or renamed. They are found by the names that the server gave them (entryUUID) and
 * taken back to where the ledger knows them. With a second entry made in its stead, the first would go on letting the
 * person in, or keep the members of the group, whatever became of the record. On a server that gives no such names
 * nothing tells a moved entry from one of others: it stays, as an orphan entry.
 *
 * A group takes all groups below it along. They are not moved one by one: the ledger goes on knowing them below the group,
 * and that is where they are again once it is back. What the memberof overlay of slapd noted of their members is right
 * then, too: it does not follow the renaming of what is above a group (see released-members.ts).
 */

export interface StrayedOptions {
  directory: Pick<Directory, 'baseDn' | 'search'>
  ledger: Pick<Ledger, 'heldElsewhere'>
  kind: RecordKind
  /** What is read of an entry. */
  attributes: string[]
  places: ProtectedPlaces
}

/** Entries looked for with one search; not fewer than a batch has groups, so that all of those are looked for. */
const together = 50

/** Tries after which a place whose parent entry is missing is not waited for any more. */
const patience = 2

const movedAway = 'its entry was moved in the directory'

/**
 * Looks for the entries that are not where the ledger knows them, anywhere below the base.
 *
 * Where many are missing and none of the first is anywhere, the directory was emptied, and the others are not looked for.
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
    if (entries.size === 0) return [...seen]
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
    // A server that does not let us search by it, or cannot read an entry on the way, tells nothing of the others.
    if (!(error instanceof DirectoryError) || !error.answered) throw error
  }
  return entries
}

/** Whether its entry is at a place that nothing of ours took it to. */
export const isStrayed = ({ item, found }: Pick<Plan, 'item' | 'found'>): boolean =>
  found !== null && item.dn !== null && ![item.dn, item.targetDn, item.wanted?.dn].includes(found.dn)

/** Those that are where they are because a group above them was moved: they come back with it. */
export const wentAlong = (strayed: readonly Sighting[]): ReadonlySet<Sighting> => {
  const moves = strayed.flatMap(({ item, found }) => (item.dn && found ? [{ from: item.dn, to: found.dn }] : []))
  const isAlong = ({ item: { dn }, found }: Sighting): boolean => {
    const above = dn === null ? undefined : nearestAbove(dn, moves)
    return above !== undefined && dn !== null && found?.dn === dn.slice(0, -above.from.length) + above.to
  }
  return new Set(strayed.filter(isAlong))
}

/** One whose place in the ledger stays, because a group above it is about to come back. */
export const comesBack = (one: Sighting): Outcome => ({
  ...retry(one),
  unseen: true,
  delay: 0,
  error: 'a group above it was moved in the directory',
})

/** One that cannot come back as things are: from now on the ledger knows it, and what is below it, where it was found. */
export const staysAway = (one: Sighting): Outcome => ({ ...retry(one), delay: 0, error: movedAway })

export interface PutBackOptions {
  directory: Pick<Directory, 'write'>
  ledger: Pick<Ledger, 'intend'>
  claim: Claim
  /** Told that an entry above one of them is missing. */
  surprised: () => void
}

/**
 * Takes groups back to where the ledger knows them, before they are renamed, moved or removed from there: so that what
 * is below them is where the ledger knows it, too.
 * @throws DirectoryError when the directory does not answer
 */
export const putBack = async (
  { directory, ledger, claim, surprised }: PutBackOptions,
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
      if (error instanceof NotSent) return { ...failed, result: 'unsent', delay: 0, error: error.message }
      if (!(error instanceof DirectoryError) || (error.kind === 'unavailable' && !error.answered)) throw error
      if (isServerRefusal(error)) return { ...refusedByServer(one, error), unseen: true }
      if (error.code !== resultCodes.noSuchObject || one.item.attempts >= patience) return staysAway(one)
      surprised()
      return { ...failed, error: error.message }
    }
  }
  const settled: Outcome[] = []
  // What is above before what is below it: its place may depend on that.
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
