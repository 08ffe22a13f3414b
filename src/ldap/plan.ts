import { difference, renamed } from './compare.ts'
import type { Attributes, Entry, Write } from './directory.ts'
import { parseDn } from './dn.ts'
import { type GroupClass, groupAttributes, userAttributes } from './entry-shape.ts'
import type { GroupRow, Row, UserRow } from './ledger-rows.ts'
import { groupPlace, userPlace } from './places.ts'

/** A record of a batch and the entry it should have; `wanted` null: none. */
export interface Item extends Omit<Row<unknown>, 'facts'> {
  name: string
  wanted: { dn: string; attributes: Attributes } | null
  /** Why nothing can be done yet, or '': a group whose parent has no entry. */
  waiting: string
}

export const userItem = ({ facts, ...row }: UserRow, baseDn: string): Item => ({
  ...row,
  name: facts?.username ?? '',
  wanted: facts && { dn: userPlace(baseDn, facts.username, facts.status), attributes: userAttributes(facts) },
  waiting: '',
})

export const groupItem = ({ facts, ...row }: GroupRow, baseDn: string, groupClass: GroupClass): Item => ({
  ...row,
  name: facts?.groupName ?? '',
  wanted:
    facts === null || facts.parentDn === null
      ? null
      : {
          dn: groupPlace(facts.parentDn, facts.groupType, facts.groupName),
          attributes: groupAttributes(facts, groupClass, baseDn),
        },
  waiting: facts !== null && facts.parentDn === null ? 'its parent group is not in the directory' : '',
})

/** An entry and the DN it was found at, in our own spelling. */
export interface Found {
  dn: string
  entry: Entry
}

/**
 * The writes that make the entry found (null: there is none) into the one wanted, in the order they must happen.
 * `passwordReadable` false: the directory does not show `userPassword`, so it is written when the record changed and
 * left alone otherwise.
 */
export const plan = (item: Item, found: Found | null, passwordReadable: boolean): Write[] => {
  if (item.wanted === null) return found === null ? [] : [{ kind: 'delete', dn: found.dn }]
  if (found === null) return [{ kind: 'add', dn: item.wanted.dn, attributes: item.wanted.attributes }]
  const { dn, attributes } = item.wanted
  const { entry } = found
  // Also where only the spelling of the name changed, which the directory takes for the same DN.
  const moves = found.dn !== dn || namingValue(entry.dn) !== namingValue(dn)
  const writes: Write[] = moves ? [{ kind: 'rename', dn: found.dn, newDn: dn }] : []
  const { userPassword, ...others } = attributes
  const compared = userPassword === undefined || passwordReadable ? attributes : others
  for (const changes of difference(moves ? renamed(entry, dn) : entry, compared)) {
    writes.push({ kind: 'modify', dn, changes })
  }
  if (userPassword !== undefined && !passwordReadable && item.changed) {
    writes.push({
      kind: 'modify',
      dn,
      changes: [{ operation: 'replace', attribute: 'userPassword', values: userPassword }],
    })
  }
  return writes
}

const namingValue = (dn: string): string | undefined => parseDn(dn)[0]?.[0]?.value
