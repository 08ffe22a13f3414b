import type { Attributes, Entry } from '../ldap/directory.ts'
import { type GroupClass, groupAttributes, userAttributes } from './entry-shape.ts'
import type { GroupRow, Row, UserRow } from './ledger-rows.ts'
import { type MergedPassword, mergePassword, type PasswordTerms } from './password-merge.ts'
import { groupPlace, userPlace } from './places.ts'

/** A record of a batch and the entry it should have; `wanted` null: it should have no entry. */
export interface Item extends Omit<Row<unknown>, 'facts'> {
  name: string
  wanted: { dn: string; attributes: Attributes } | null
  /** Whether the entry belongs to a disabled person. */
  parks: boolean
  /** Whether the person may sign in; null: a group, or a deleted record. */
  enabled: boolean | null
  /** The value of the record for `userPassword`, even if it is not written; null: the person cannot sign in. */
  secret: string | null
  /** What to do with the password; null: there is no password to compare (a group, or an entry that is removed). */
  password: MergedPassword | null
  /** Why the item has to wait, for example a group whose parent has no entry; otherwise ''. */
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
 * The item with the `userPassword` that this entry should have; without the attribute, if it must not be changed.
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
