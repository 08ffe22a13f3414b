import type { Attributes, Entry } from '../ldap/directory.ts'
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
  /** The record's value for `userPassword`, whether it is written or not; null: the person cannot sign in. */
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
 * The item with what its password comes to on this entry: what its `userPassword` is to hold, or nothing of it where
 * that is to be left alone.
 * @param entry null: the entry does not exist yet
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
