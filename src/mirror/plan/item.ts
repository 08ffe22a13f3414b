import type { Statement } from '../../failures/statement.ts'
import type { Attributes, Entry } from '../../ldap/directory.ts'
import { isWithin, keyOfAny } from '../../ldap/dn.ts'
import type { DirectorySchema } from '../entry/directory-schema.ts'
import type { EntryForm } from '../entry/entry-form.ts'
import { memberLists } from '../entry/entry-shape.ts'
import { type ExtraAttribute, extraOf, merged, type StoredExtra, withExtras } from '../entry/extra-attributes.ts'
import { shownMemberOf } from '../entry/member-of.ts'
import { shownNtHash } from '../entry/nt-hash.ts'
import { groupPlace, peopleDn, userPlace } from '../entry/places.ts'
import { type PosixSettings, posixOfGroup, posixOfUser } from '../entry/posix.ts'
import { shownKeys } from '../entry/ssh-keys.ts'
import type { GroupRow, Row, UserRow } from '../ledger/record-rows.ts'
import { type OtherHashes, passwordShown } from '../passwords/other-hashes.ts'
import { type MergedPassword, mergePassword, type PasswordTerms } from '../passwords/password-merge.ts'
import { joined, statements } from '../statements.ts'
import type { SecretWrite } from './account.ts'

/** A record of a batch and the entry it should have; `wanted` null: it should have no entry. */
export interface Item extends Omit<Row<unknown>, 'facts' | 'layout'> {
  name: string
  wanted: { dn: string; attributes: Attributes } | null
  /**
   * Attributes of declared fields and the like; `wanted.attributes` contains them, unless the entry belongs to a disabled
   * person, from which an NT hash goes together with the password.
   */
  extras: readonly ExtraAttribute[]
  /** What the entry cannot show, for `syncError`; null: it shows everything. */
  note: Statement | null
  /** Whether `wanted` has only the values of lists of members that are to be added: see list-notes.ts. */
  notedOnly: boolean
  /** Then the values that these lists have to lose, if they have them. Absent: none. */
  leaving?: Attributes
  /** Whether these may be missing already. Absent: then the list is compared as a whole. */
  mayMiss?: boolean
  /** Whether the entry belongs to a disabled person. */
  parks: boolean
  /** Whether the person may sign in; null: a group, or a deleted record. */
  enabled: boolean | null
  /**
   * The value for `userPassword` in this directory, even if it is not written; null: the person cannot sign in, or its
   * scheme lacks a hash.
   */
  secret: string | null
  /** Which password that is of; see db/tables/people.ts. */
  secretId: string | null
  /** The scheme in which there is no hash of the person's password yet; null: it has what it needs. */
  lacks: string | null
  /** What to do with the password; null: there is no password to compare (a group, or an entry that is removed). */
  password: MergedPassword | null
  /** The password to write in clear text: see account.ts. Absent or null: none. */
  secretWrite?: SecretWrite | null
  /** Why the item has to wait, for example a group whose parent has no entry; otherwise null. */
  waiting: Statement | null
}

// V8 takes microseconds for each property that an object literal adds after a spread. A spread at the end takes none.

/** What an item is made with. */
export interface ItemTerms {
  baseDn: string
  form: EntryForm
  /** The schema of the server; null: it does not publish one, and everything is written. */
  schema: DirectorySchema | null
  /** null: POSIX_ACCOUNTS=off. */
  posix: PosixSettings | null
  openHash: OtherHashes['open']
}

export const userItem = ({ facts, layout: _, ...row }: UserRow, terms: ItemTerms): Item => {
  const { baseDn, form, schema, posix, openHash } = terms
  // Active Directory makes its own from the password.
  const ntHash = facts && form.kind === 'generic' ? [shownNtHash(facts, openHash)] : []
  const here = <E extends ExtraAttribute>(extra: E): E =>
    form.shows(extra.attribute) ? extra : { ...extra, values: [] }
  const shown =
    facts &&
    both(posixOfUser(posix, facts), [...shownKeys(facts).map(here), ...shownMemberOf(facts, schema), ...ntHash])
  const { extras, note } = shownBy(schema, facts && { extras: facts.extras.map(here) }, shown)
  const enabled = facts && facts.status === 1
  const { password: secret, lacks } = facts ? passwordShown(facts, openHash) : { password: null, lacks: null }
  return {
    name: facts?.username ?? '',
    wanted: facts && {
      dn: userPlace(baseDn, facts.username, facts.status, form.naming),
      attributes: withExtras(form.userAttributes({ ...facts, password: secret }, row.id), enabled ? extras : ntHash),
    },
    extras,
    note,
    notedOnly: false,
    parks: facts !== null && facts.status !== 1,
    enabled,
    secret,
    secretId: facts?.passwordId ?? null,
    lacks,
    password: null,
    waiting: null,
    ...row,
  }
}

const both = (shown: ReturnType<typeof posixOfUser>, more: readonly ExtraAttribute[]) => ({
  ...shown,
  extras: [...shown.extras, ...more],
})

/** The attributes that this server can hold, and why it does not show the others. */
const shownBy = (
  schema: DirectorySchema | null,
  facts: { extras: readonly StoredExtra[] } | null,
  posix: { extras: readonly ExtraAttribute[]; note: Statement | null } | null,
) => {
  const all = [...(facts?.extras ?? []).map(extraOf), ...(posix?.extras ?? [])]
  const unknown = all.filter(({ attribute, objectClass }) => schema && !schema.allows(attribute, objectClass))
  const missing = unknown.filter(({ values }) => values.length > 0).map(({ attribute }) => attribute)
  const lacks = missing.length === 0 ? null : statements.schema_lacks({ attributes: missing.join(', ') })
  return { extras: merged(all.filter((each) => !unknown.includes(each))), note: joined([lacks, posix?.note ?? null]) }
}

const withoutLists = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !memberLists.has(name)))

/** null: the group above it has no entry yet. */
const groupEntry = (
  facts: NonNullable<GroupRow['facts']>,
  { form, id }: Pick<ItemTerms, 'form'> & { id: number },
  extras: readonly ExtraAttribute[],
): Item['wanted'] => {
  const { parentDn, groupType, groupName, entryName = groupName } = facts
  if (parentDn === null) return null
  const named = { ...facts, entryName: entryName ?? groupName }
  const attributes = withExtras(form.groupAttributes(named, id), extras)
  // Nothing is to be added, and the placeholder of an empty list would be.
  const isComplete = facts.notedOnly && facts.members.length === 0
  return {
    dn: groupPlace(parentDn, groupType, named.entryName),
    attributes: isComplete ? withoutLists(attributes) : attributes,
  }
}

/** What the lists have of those who have left. */
const leavingLists = (
  facts: NonNullable<GroupRow['facts']>,
  id: number,
  { baseDn, form, schema, posix }: ItemTerms,
): Attributes => {
  const present = new Set(facts.members.map(keyOfAny))
  const members = facts.left.filter((dn) => isWithin(dn, peopleDn(baseDn)) && !present.has(keyOfAny(dn)))
  if (members.length === 0) return {}
  const gone = { ...facts, members, entryName: '' }
  const { extras } = shownBy(schema, gone, posixOfGroup(posix, gone))
  const attributes = withExtras(form.groupAttributes(gone, id), extras)
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => memberLists.has(name)))
}

export const groupItem = ({ facts, layout: _, ...row }: GroupRow, terms: ItemTerms): Item => {
  const { form, schema, posix } = terms
  const shown = shownBy(schema, facts, facts && posixOfGroup(posix, facts))
  return {
    name: facts?.groupName ?? '',
    notedOnly: facts?.notedOnly === true,
    wanted: facts && groupEntry(facts, { form, id: row.id }, shown.extras),
    parks: false,
    enabled: null,
    secret: null,
    secretId: null,
    lacks: null,
    password: null,
    waiting: facts !== null && facts.parentDn === null ? statements.parent_missing() : null,
    ...(facts?.notedOnly && { leaving: leavingLists(facts, row.id, terms), mayMiss: facts.mayMiss }),
    ...shown,
    ...row,
  }
}

/**
 * The item with the `userPassword` that this entry should have; without the attribute, if it must not be changed.
 * @param entry null: the entry does not exist yet
 */
export const withPassword = (item: Item, entry: Entry | null, terms: PasswordTerms): Item => {
  if (item.wanted === null || item.enabled === null) return item
  const password = mergePassword(
    {
      wanted: item.secret,
      lacks: item.lacks,
      enabled: item.enabled,
      changed: item.changed,
      present: entry && (entry.attributes.userPassword ?? []),
      settled: item.passwordDigest,
      ids: { record: item.secretId, settled: item.passwordId },
      former: item.formerPasswords ?? [],
    },
    terms,
  )
  const { values } = password
  const { attributes } = item.wanted
  const shown = values === null ? withoutPassword(attributes) : { ...attributes, userPassword: values }
  return { ...item, wanted: { ...item.wanted, attributes: shown }, password }
}

const withoutPassword = ({ userPassword: _, ...others }: Attributes): Attributes => others
