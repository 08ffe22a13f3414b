import type { SshKeys } from '../../db/schema.ts'
import {
  groupFields,
  type MirroredGroupField,
  type MirroredUserField,
  mirroredGroupFields,
  mirroredUserFields,
  userFields,
} from '../../db/tables/fields.ts'
import type { Attributes } from '../../ldap/directory.ts'
import { matchingKey } from '../../ldap/dn.ts'
import type { PasswordScheme } from './directory-settings.ts'
import type { StoredExtra } from './extra-attributes.ts'
import { placeholderMember } from './places.ts'
import type { PosixFacts } from './posix.ts'

/** The fields of a user that the entry shows, and what the memberships add. */
export interface UserFacts extends Record<MirroredUserField, string> {
  status: number
  /** What the record holds for `userPassword`; null: the person cannot sign in. */
  password: string | null
  /** Which password that is of; see db/tables/people.ts. */
  passwordId: string | null
  /** Names of the groups the user is in. */
  departments: string[]
  extras: StoredExtra[]
  posix: PosixFacts
  /** null: not managed. */
  sshKeys: SshKeys | null
  /** Sealed; null: the entry shows none. See nt-hash.ts. */
  ntHash: string | null
  /** The hash in the scheme of the directory; null: it shows `password`. See other-hashes.ts. */
  ownHash: { scheme: PasswordScheme; sealed: string | null } | null
  /** DNs of the groups that list the user; null: not managed. */
  memberOf: string[] | null
}

export interface GroupFacts extends Record<MirroredGroupField, string> {
  groupName: string
  /** The name of the entry: in the flat layout it may have a number. */
  entryName: string
  groupType: string
  /** DNs of the members that have an entry; empty for `ou` groups. */
  members: string[]
  extras: StoredExtra[]
  posix: PosixFacts
}

export type GroupClass = 'groupOfNames' | 'groupOfUniqueNames'

/** The version of the shapes below: increase it when they change, and every entry is compared again. */
export const shapeVersion = 2

/** The attributes of a person that Steward writes. */
export const userAttributeNames = [
  ...mirroredUserFields.map((name) => userFields[name].attribute),
  ...['objectClass', 'cn', 'sn', 'departmentNumber', 'ou', 'userPassword'],
]
export const personClasses: readonly string[] = ['top', 'person', 'organizationalPerson', 'inetOrgPerson']
/** The attributes that stay on the entry of a disabled person: the names and the job number. */
const whileParked = new Set<string>([
  ...mirroredUserFields.flatMap((name) => ('staysParked' in userFields[name] ? [userFields[name].attribute] : [])),
  ...['objectClass', 'cn', 'sn'],
])

const optional = (value: string): string[] => (value.trim() === '' ? [] : [value])

/** The directory refuses two values that it treats as equal, such as the names Sales and sales. */
const distinct = (values: readonly string[]): string[] =>
  values.length < 2 ? [...values] : [...new Map(values.map((value) => [matchingKey(value), value])).values()]

/** Postal Address syntax (RFC 4517 section 3.3.28): lines are separated by `$`; `$` and `\` themselves are escaped. */
const postalAddress = (text: string): string[] =>
  optional(
    text
      .replaceAll('\\', '\\5C')
      .replaceAll('$', '\\24')
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('$'),
  )

const shown = (user: UserFacts, field: MirroredUserField): string[] =>
  'postal' in userFields[field] ? postalAddress(user[field]) : optional(user[field])

/** inetOrgPerson (RFC 2798). Every managed attribute is a key; an empty list means that it must be absent. */
export const userAttributes = (user: UserFacts): Attributes => {
  const name = user.nickname.trim() === '' ? user.username : user.nickname
  const departments = distinct(user.departments)
  const attributes: Attributes = {
    objectClass: [...personClasses],
    cn: [name],
    sn: [name],
    departmentNumber: departments,
    ou: departments,
    userPassword: user.password === null ? [] : [user.password],
  }
  for (const field of mirroredUserFields) attributes[userFields[field].attribute] = shown(user, field)
  return user.status === 1 ? attributes : parked(attributes)
}

/** Without the attributes with which an application would authenticate the person, send them mail or list them. */
const parked = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, whileParked.has(name) ? values : []]))

/** The object classes of a group that Steward writes. */
export const groupClasses = (groupType: string, groupClass: GroupClass): string[] => [
  'top',
  groupType === 'ou' ? 'organizationalUnit' : groupClass,
]

/** The attribute that lists members under a group class. */
export const memberAttribute = (groupClass: GroupClass): 'member' | 'uniqueMember' =>
  groupClass === 'groupOfNames' ? 'member' : 'uniqueMember'

/** The attributes of a group that Steward writes. */
export const groupAttributeNames = (groupClass: GroupClass): string[] => [
  ...mirroredGroupFields.map((name) => groupFields[name].attribute),
  ...['objectClass', 'cn', 'ou', memberAttribute(groupClass)],
]

export const groupAttributes = (group: GroupFacts, groupClass: GroupClass, baseDn: string): Attributes => {
  const texts = mirroredGroupFields.map((field) => [groupFields[field].attribute, optional(group[field])])
  const attributes: Attributes = {
    ...Object.fromEntries(texts),
    objectClass: groupClasses(group.groupType, groupClass),
  }
  if (group.groupType === 'ou') return { ...attributes, ou: [group.entryName] }
  const members = group.members.length > 0 ? group.members : [placeholderMember(baseDn)]
  return { ...attributes, cn: [group.entryName], [memberAttribute(groupClass)]: members }
}

/** Attributes of a group that may have thousands of values. */
export const memberLists: ReadonlySet<string> = new Set(['member', 'uniqueMember', 'memberUid'])

/** Attributes whose values are DNs and are compared as such. */
export const dnValued: ReadonlySet<string> = new Set(['member', 'uniqueMember', 'memberOf'])
