import { hash as digestOf } from 'node:crypto'
import type { Attributes, Entry } from '../../ldap/directory.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { difference } from '../entry/compare.ts'
import { dnValued } from '../entry/entry-shape.ts'
import { ntHashAttribute } from '../entry/nt-hash.ts'
import type { Item } from './item.ts'

/**
 * Which entries belong to records. Only the ledger decides: by the entryUUID (RFC 4530), which a rename keeps and a new
 * entry does not have; by the DN, if the server has no entryUUIDs or the entry was not read yet; or because the entry
 * is exactly what an interrupted add would have written. An entry does not belong to a record only because it has the
 * DN that the record needs.
 */

const hash = (parts: readonly unknown[]): string => digestOf('sha256', JSON.stringify(parts), 'hex')

const canonical = (attribute: string, values: readonly string[]): string[] => {
  const key = attribute === 'objectClass' ? lowerCase : dnValued.has(attribute) ? keyOfAny : null
  const keys = key === null ? values : values.map(key)
  return keys.length < 2 ? [...keys] : [...new Set(keys)].sort()
}

const lowerCase = (value: string): string => value.toLowerCase()

/**
 * Digests of what an add writes: one without the password, and one of the password, which not every server returns.
 * Whether an account is enabled changes with the password (see account.ts), and is in neither. An NT hash is not either: a
 * digest of it could be guessed.
 */
export const addDigest = (attributes: Attributes): string => {
  const valuesOf = (name: string): string[] => attributes[name] ?? []
  const present = Object.keys(attributes).filter((name) => !leftOut.has(name) && valuesOf(name).length > 0)
  // Names of attributes have no character before the comma, by which arrays were ordered as texts.
  const content = present.sort().map((name) => [name, canonical(name, valuesOf(name))])
  return `${hash(content)}.${hash(canonical('userPassword', valuesOf('userPassword')))}`
}

const leftOut: ReadonlySet<string> = new Set(['userPassword', 'userAccountControl', ntHashAttribute])

export interface OwnershipOptions {
  /** The attributes that an add may write. */
  managed: readonly string[]
  passwordReadable: boolean
}

/** Whether the entry found at `place` is the entry of the ledger. */
export const isOurs = (item: Item, place: string, { attributes }: Entry, options: OwnershipOptions): boolean => {
  const uuid = attributes.entryUUID?.[0]?.toLowerCase() ?? null
  if (uuid !== null && uuid === item.entryUuid) return true
  const isKnown = place === item.dn || place === item.targetDn
  if (item.addDigest !== null) return isKnown && wasAdded(item.addDigest, attributes, options)
  if (place === item.dn) {
    if (uuid === null || item.entryUuid === null) return true
    // The entry was added again, for example from a copy of the directory: with the same content it belongs to the
    // record.
    return options.passwordReadable && isAsWanted(item, place, attributes)
  }
  // A rename was interrupted, on a server without entryUUIDs: the DN was free before.
  return place === item.targetDn && item.dn !== null && (uuid === null || item.entryUuid === null)
}

/** The end of a digest of which the part without the password proves nothing: the entry may be that of another directory. */
export const wholeOnly = '.whole'

const wasAdded = (digest: string, attributes: Attributes, { managed, passwordReadable }: OwnershipOptions): boolean => {
  const found = addDigest(Object.fromEntries(managed.map((name) => [name, attributes[name] ?? []])))
  if (digest.endsWith(wholeOnly)) return passwordReadable && `${found}${wholeOnly}` === digest
  return passwordReadable ? found === digest : found.split('.')[0] === digest.split('.')[0]
}

const isAsWanted = ({ wanted }: Item, dn: string, attributes: Attributes): boolean =>
  wanted !== null && wanted.dn === dn && difference({ dn, attributes }, wanted.attributes).length === 0
