import type { Entry, Write } from '../ldap/directory.ts'
import { matchingKey, parseDn } from '../ldap/dn.ts'
import { difference, renamed } from './compare.ts'
import type { Item } from './item.ts'
import type { Repair } from './repairs.ts'

/** An entry and the DN it was found at, in our own spelling. */
export interface Found {
  dn: string
  entry: Entry
}

/** The name that the server gave the entry (entryUUID); null: it gives none. */
export const uuidOf = (found: Found | null): string | null =>
  found?.entry.attributes.entryUUID?.[0]?.toLowerCase() ?? null

/** An item and what is to be written for it. */
export interface Plan {
  item: Item
  /** What is to be remembered of the repair, where it is one. */
  repair?: Repair
  /** null: none was found, or (for a record never written) none was looked for. */
  found: Found | null
  writes: Write[]
  /** What is done with attributes of other tools once that is written; null: they stay as they are. */
  foreign: 'strip' | 'putBack' | null
  /** Why the record cannot be where it is to be, whatever is written; '': nothing stands in its way. */
  obstacle: string
  /** It is left as it is: what is written there does not hold. */
  unheld?: true
}

/**
 * The writes that turn the entry found (null: it does not exist) into the one wanted, in the order they must happen.
 * @param anySpelling takes names for equal that the server takes for equal: it keeps a spelling of its own
 */
export const writesFor = (item: Item, found: Found | null, anySpelling = false): Write[] => {
  if (item.wanted === null) return found === null ? [] : [{ kind: 'delete', dn: found.dn }]
  if (found === null) return [{ kind: 'add', dn: item.wanted.dn, attributes: item.wanted.attributes }]
  const { dn, attributes } = item.wanted
  const { entry } = found
  // Also where only the spelling of the name changed, which the directory takes for the same DN.
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
