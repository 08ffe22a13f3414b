import type { Attributes, Entry, Write } from '../ldap/directory.ts'
import { matchingKey, parseDn } from '../ldap/dn.ts'
import { difference, renamed } from './compare.ts'
import { type GroupClass, groupAttributes, userAttributes } from './entry-shape.ts'
import type { GroupRow, Row, UserRow } from './ledger-rows.ts'
import { type MergedPassword, mergePassword, type PasswordTerms } from './password-merge.ts'
import { groupPlace, userPlace } from './places.ts'

/** A record of a batch and the entry it should have; `wanted` null: none. */
export interface Item extends Omit<Row<unknown>, 'facts'> {
  name: string
  wanted: { dn: string; attributes: Attributes } | null
  /** Whether the entry is that of a person who is disabled. */
  parks: boolean
  /** Whether the person may sign in; null: it is a group, or gone. */
  enabled: boolean | null
  /** The record's value for `userPassword`, whatever becomes of it; null: nobody can sign in. */
  secret: string | null
  /** What is to become of the password; null: it has none to be looked at (a group, or an entry that goes). */
  password: MergedPassword | null
  /** Why nothing can be done yet, or '': a group whose parent has no entry. */
  waiting: string
}

export const userItem = ({ facts, ...row }: UserRow, baseDn: string): Item => ({
  ...row,
  name: facts?.username ?? '',
  wanted: facts && { dn: userPlace(baseDn, facts.username, facts.status), attributes: userAttributes(facts) },
  parks: facts !== null && facts.status !== 1,
  enabled: facts && facts.status === 1,
  secret: facts?.password ?? null,
  password: null,
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
  parks: false,
  enabled: null,
  secret: null,
  password: null,
  waiting: facts !== null && facts.parentDn === null ? 'its parent group is not in the directory' : '',
})

/**
 * The item with what its password comes to on this entry: what its `userPassword` is to hold, or nothing of it where that
 * is to be left alone.
 * @param entry null: there is none yet
 */
export const withPassword = (item: Item, entry: Entry | null, terms: PasswordTerms): Item => {
  if (item.wanted === null || item.enabled === null) return item
  const { userPassword, ...others } = item.wanted.attributes
  const password = mergePassword(
    {
      wanted: item.secret,
      enabled: item.enabled,
      changed: item.changed,
      present: entry && (entry.attributes.userPassword ?? []),
      settled: item.passwordDigest,
    },
    terms,
  )
  const { values } = password
  const attributes = values === null ? others : { ...others, userPassword: values }
  return { ...item, wanted: { ...item.wanted, attributes }, password }
}

/** An entry and the DN it was found at, in our own spelling. */
export interface Found {
  dn: string
  entry: Entry
}

/**
 * The writes that make the entry found (null: there is none) into the one wanted, in the order they must happen.
 * @param anySpelling takes names for equal that the server takes for equal: it keeps a spelling of its own
 */
export const plan = (item: Item, found: Found | null, anySpelling = false): Write[] => {
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
