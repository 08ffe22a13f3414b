import type { Statement } from '../../failures/statement.ts'
import type { Directory, Entry } from '../../ldap/directory.ts'
import { keyOfAny, parseDn } from '../../ldap/dn.ts'
import { spelled } from '../../ldap/spelling.ts'
import { memberLists } from '../entry/entry-shape.ts'
import type { ProtectedPlaces } from '../entry/protected-places.ts'
import { statements } from '../statements.ts'
import type { Item } from './item.ts'
import { isOurs } from './ownership.ts'
import { type Found, type Plan, uuidOf, writesFor } from './plan.ts'
import { repairing } from './repairs.ts'

/** What was found in the directory for a record, before anything is written. */
export interface Sighting {
  item: Item
  /** The entry of the record; null: it has none. */
  found: Found | null
  /** Another entry that has the DN the record needs; null: the DN is free. */
  inTheWay: Entry | null
  /** It was not searched: see `looker`. */
  unsearched?: true
}

export interface LookerOptions {
  directory: Pick<Directory, 'read'>
  /** The attributes that are read, and those that Steward writes. */
  attributes: string[]
  managed: readonly string[]
  places: ProtectedPlaces
  passwordReadable: boolean
  /** Whether it is added without a search. */
  isAdded: (item: Item) => boolean
}

/**
 * Searches the entry of a record at its DN in the ledger, at the DN to which an interrupted write may have moved it,
 * and at the DN it should have. A DN is read before anything is written there, so that what appears there later was
 * written by Steward. Only the first add of a new record is not preceded by a search: if the place is taken, the server
 * refuses it, the ledger forgets that it was intended, and the next attempt searches (`searchNext`). Where the process is
 * killed before it has stored the refusal, an entry that is equal in everything that Steward writes is taken for its own.
 * @throws DirectoryError
 */
export const looker =
  ({ directory, attributes, managed, places, passwordReadable, isAdded }: LookerOptions) =>
  async (item: Item): Promise<Sighting> => {
    if (isAdded(item)) return { item, found: null, inTheWay: null, unsearched: true }
    const wanted = item.wanted?.dn ?? null
    const read = item.notedOnly ? attributes.filter((name) => !memberLists.has(name)) : attributes
    const seen = new Map<string, Entry | null>()
    const see = async (dn: string): Promise<Entry | null> => {
      const known = seen.get(dn)
      if (known !== undefined) return known
      const entry = await directory.read(dn, read)
      seen.set(dn, entry)
      return entry
    }

    let found: Found | null = null
    for (const dn of new Set([item.dn, item.targetDn, wanted])) {
      if (dn === null || found !== null) continue
      const entry = await see(dn)
      if (entry === null || places.reasonOf(entry) !== null) continue
      if (isOurs(item, dn, entry, { managed, passwordReadable })) found = { dn, entry }
    }
    const there = wanted === null || wanted === found?.dn ? null : await see(wanted)
    return { item, found, inTheWay: there !== null && found !== null && isSame(found, there) ? null : there }
  }

/** The server may treat names as equal that differ in SQL. */
const isSame = (found: Found, entry: Entry): boolean => {
  const uuid = uuidOf(found)
  return uuid === null
    ? keyOfAny(found.entry.dn) === keyOfAny(entry.dn)
    : uuid === entry.attributes.entryUUID?.[0]?.toLowerCase()
}

/** Whether nothing but the list of the entry differs from what the ledger knows. */
export const isJustAsKnown = ({ item, found, inTheWay }: Sighting): boolean =>
  found !== null && found.dn === item.dn && found.dn === item.wanted?.dn && inTheWay === null

/** In Steward's own spelling, as in the ledger. */
export const placeInTheWay = ({ item, inTheWay }: Sighting): { id: number; dn: string }[] => {
  if (inTheWay === null) return []
  return [spelled(inTheWay.dn), item.wanted?.dn ?? ''].map((dn) => ({ id: item.id, dn }))
}

/** By the entryUUID. */
export const uuidInTheWay = ({ item, inTheWay }: Sighting): { id: number; uuid: string }[] => {
  const uuid = inTheWay?.attributes.entryUUID?.[0]?.toLowerCase()
  return uuid === undefined ? [] : [{ id: item.id, uuid }]
}

interface Judgement {
  places: ProtectedPlaces
  /** Whether the entry in the way belongs to another record: then one of the two waits for the other. */
  isHeld: boolean
}

/** Why the entry of the record cannot get its DN, or cannot be removed; null: nothing prevents it. */
export const obstacleTo = ({ item, found, inTheWay }: Sighting, { places, isHeld }: Judgement): Statement | null => {
  const { wanted } = item
  const leaves = found !== null && found.dn !== wanted?.dn
  if (leaves && places.holdsAccount(found.dn)) {
    return statements.account_below({ dn: found.dn })
  }
  if (wanted === null) return null
  const reason = places.reasonAt(wanted.dn) ?? (inTheWay && places.reasonOf(inTheWay))
  if (reason !== null) return statements.no_place({ dn: wanted.dn, reason })
  if (inTheWay === null || isHeld) return null
  const { dn } = inTheWay
  if (found !== null) return statements.not_ours_beside({ dn, own: found.dn })
  const unfit = unfitFor(inTheWay, wanted.attributes.objectClass ?? [])
  return unfit === null ? statements.not_ours({ dn }) : statements.not_ours_unfit({ dn, reason: unfit })
}

/** Why a record whose entry has these classes cannot adopt an entry; null: it can. */
export const unfitFor = ({ attributes }: Entry, classes: readonly string[]): Statement | null => {
  const allowed = new Set(classes.map((name) => name.toLowerCase()))
  const names = attributes.objectClass ?? []
  const others = names.filter((name) => !allowed.has(name.toLowerCase()))
  if (others.length > 0) return statements.foreign_classes({ classes: others.join(', ') })
  const structural = classes.at(-1) ?? ''
  const has = names.some((name) => name.toLowerCase() === structural.toLowerCase())
  return has ? null : statements.class_missing({ class: structural })
}

/**
 * The entry to write. For a disabled person it is written in spite of an obstacle: the entry is emptied at its current
 * DN, so that they cannot sign in. null: nothing can be written.
 */
export const planFor = (
  { item, found, unsearched }: Sighting,
  obstacle: Statement | null,
  digest: (text: string) => string,
): Plan | null => {
  if (obstacle === null) {
    const foreign = item.parks && found !== null ? 'strip' : !item.parks && item.hasKept ? 'putBack' : null
    return { item, found, foreign, obstacle, ...(unsearched && { unsearched }), ...repairing(item, found, digest) }
  }
  if (item.wanted === null || found === null || !item.parks) return null
  const naming = parseDn(item.wanted.dn)[0]?.[0]?.type ?? ''
  const { [naming]: _, ...attributes } = item.wanted.attributes
  const inPlace = { ...item, wanted: { dn: found.dn, attributes } }
  return { item, found, writes: writesFor(inPlace, found), foreign: 'strip', obstacle }
}
