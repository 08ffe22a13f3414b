import type { Attributes } from './directory.ts'
import { matchingKey } from './dn.ts'
import { placeholderMember } from './places.ts'

/** The part of a user's row that its entry shows, and what its memberships add to it. */
export interface UserFacts {
  username: string
  nickname: string
  givenName: string
  mail: string
  mobile: string
  jobNumber: string
  position: string
  introduction: string
  postalAddress: string
  status: number
  /** The value for `userPassword`; null: nobody can sign in. */
  password: string | null
  /** Names of the groups the user is in. */
  departments: string[]
}

export interface GroupFacts {
  groupName: string
  groupType: string
  remark: string
  /** DNs of the members that have an entry; empty for `ou` groups. */
  members: string[]
}

export type GroupClass = 'groupOfNames' | 'groupOfUniqueNames'

/** What identifies the shapes below: raise it when they change, and every entry is compared anew. */
export const shapeVersion = 1

const optional = (value: string): string[] => (value.trim() === '' ? [] : [value])

/** The directory takes no two values it cannot tell apart, such as the names Sales and sales. */
const distinct = (values: readonly string[]): string[] => [
  ...new Map(values.map((value) => [matchingKey(value), value])).values(),
]

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

/** inetOrgPerson (RFC 2798). Every managed attribute is a key; an empty list means that it must be absent. */
export const userAttributes = (user: UserFacts): Attributes => {
  const name = user.nickname.trim() === '' ? user.username : user.nickname
  const departments = distinct(user.departments)
  return {
    objectClass: ['top', 'person', 'organizationalPerson', 'inetOrgPerson'],
    uid: [user.username],
    cn: [name],
    sn: [name],
    displayName: optional(user.nickname),
    givenName: optional(user.givenName),
    mail: optional(user.mail),
    mobile: optional(user.mobile),
    employeeNumber: optional(user.jobNumber),
    title: optional(user.position),
    departmentNumber: departments,
    ou: departments,
    description: optional(user.introduction),
    postalAddress: postalAddress(user.postalAddress),
    userPassword: user.status === 1 && user.password !== null ? [user.password] : [],
  }
}

/** The attribute that lists members under a group class. */
export const memberAttribute = (groupClass: GroupClass): 'member' | 'uniqueMember' =>
  groupClass === 'groupOfNames' ? 'member' : 'uniqueMember'

export const groupAttributes = (group: GroupFacts, groupClass: GroupClass, baseDn: string): Attributes =>
  group.groupType === 'ou'
    ? { objectClass: ['top', 'organizationalUnit'], ou: [group.groupName], description: optional(group.remark) }
    : {
        objectClass: ['top', groupClass],
        cn: [group.groupName],
        description: optional(group.remark),
        [memberAttribute(groupClass)]: group.members.length > 0 ? group.members : [placeholderMember(baseDn)],
      }

/** Attributes whose values are DNs and are compared as such. */
export const dnValued: ReadonlySet<string> = new Set(['member', 'uniqueMember'])
