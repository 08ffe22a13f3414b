import type { Entry, Write } from '../ldap/directory.ts'
import { matchingKey, parseDn } from '../ldap/dn.ts'
import { difference, renamed } from './compare.ts'
import type { Item } from './item.ts'
import type { Repair } from './repairs.ts'

/** An entry and the DN it was found at, in Steward's own spelling. */
export interface Found {
  dn: string
  entry: Entry
}

/** The entryUUID; null: the server has no entryUUIDs. */
export const uuidOf = (found: Found | null): string | null =>
  found?.entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

/** An item and the writes for it. */
export interface Plan {
  item: Item
  /** The repair to store, if the writes are a repair. */
  repair?: Repair
  /** null: not found, or (for a record that was never written) not searched. */
  found: Found | null
  writes: Write[]
  /** What is done with foreign attributes after the writes; null: they are not changed. */
  foreign: 'strip' | 'putBack' | null
  /** Why the entry cannot get its DN; '': nothing prevents it. */
  obstacle: string
  /** Nothing is written, because the repair does not hold. */
  unheld?: true
}

/**
 * The writes that turn the entry that was found (null: it does not exist) into the wanted entry, in their order.
 * @param anySpelling names that the server treats as equal count as equal, because the server keeps its own spelling
 */
export const writesFor = (item: Item, found: Found | null, anySpelling = false): Write[] => {
  if (item.wanted === null) return found === null ? [] : [{ kind: 'delete', dn: found.dn }]
  if (found === null) return [{ kind: 'add', dn: item.wanted.dn, attributes: item.wanted.attributes }]
  const { dn, attributes } = item.wanted
  const { entry } = found
  // Also if only the spelling of the name has changed, which is the same DN for the directory.
  const isOther = (a: string, b: string): boolean => (anySpelling ? matchingKey(a) !== matchingKey(b) : a !== b)
  const moves = found.dn !== dn || isOther(namingValue(entry.dn), namingValue(dn))
  const writes: Write[] = moves ? [{ kind: 'rename', dn: found.dn, newDn: dn }] : []
  const { userPassword, ...others } = attributes
  const blind = userPassword !== undefined && item.password?.comparable === false
  const compared = blind ? others : attributes
  for (const changes of difference(moves ? renamed(entry, dn) : entry, compared, anySpelling)) {
    writes.push({ kind: 'modify', dn, changes })
  }
  if (blind) {
    writes.push({
      kind: 'modify',
      dn,
      changes: [{ operation: 'replace', attribute: 'userPassword', values: userPassword }],
    })
  }
  return writes
}

const namingValue = (dn: string): string => parseDn(dn)[0]?.[0]?.value ?? ''
