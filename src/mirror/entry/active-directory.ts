import { createHash } from 'node:crypto'
import { mirroredUserFields, userFields } from '../../db/tables/fields.ts'
import type { Attributes } from '../../ldap/directory.ts'
import { parseDn } from '../../ldap/dn.ts'
import type { ActiveDirectorySettings } from './directory-settings.ts'
import type { EntryForm } from './entry-form.ts'
import {
  type GroupFacts,
  groupAttributeNames as genericGroupNames,
  groupAttributes,
  type UserFacts,
  userAttributes,
} from './entry-shape.ts'

/** The bits of `userAccountControl` ([MS-ADTS] section 2.2.16) that Steward knows. */
export const accountBits = { disabled: 0x2, passwordNotRequired: 0x20, normal: 0x200 } as const

/** Attributes that hold the same under other names here. */
const otherNames: Readonly<Record<string, string>> = { postalAddress: 'streetAddress' }

/** Attributes of other servers that Active Directory names in another way, or needs for something else. */
const without = new Set(['ou', 'userPassword'])

const personClasses: readonly string[] = ['top', 'person', 'organizationalPerson', 'user']

const userAttributeNames: readonly string[] = [
  ...mirroredUserFields.map((name) => userFields[name].attribute).map((name) => otherNames[name] ?? name),
  ...['objectClass', 'cn', 'sn', 'departmentNumber', 'sAMAccountName', 'userPrincipalName', 'userAccountControl'],
]

const groupAttributeNames: readonly string[] = [...genericGroupNames('groupOfNames'), 'sAMAccountName']

/** The attributes that Steward writes, but for passwords. */
export const activeDirectoryNames: readonly string[] = [...userAttributeNames, ...groupAttributeNames]

/** What the names of two attributes may not contain ([MS-ADTS] section 3.1.1.6, [MS-SAMR] section 3.1.1.6). */
const forbidden = /["/\\[\]:;|=,+*?<>\p{Cc}]/gu
const longestUserName = 20
const longestGroupName = 64

const isAccountName = (name: string, longest: number): boolean =>
  name.length <= longest && name.search(forbidden) < 0 && !/^[. ]|[. ]$/.test(name) && !/^[@\d]+$/.test(name)

/**
 * The name before Windows 2000, which has to be unique among all people, groups and computers of the domain. A name that
 * cannot be one is cut, and made unique by a digest of the kind and the id: it is the same again in every comparison.
 */
export const accountName = (kind: 'user' | 'group', name: string, id: number): string => {
  const longest = kind === 'user' ? longestUserName : longestGroupName
  if (isAccountName(name, longest)) return name
  const digest = createHash('sha256').update(`${kind} ${id}`).digest('hex').slice(0, 8)
  const room = longest - digest.length - 1
  const kept = name.replace(forbidden, '').replace(/^[. ]+/, '')
  let start = ''
  for (const character of kept) if (start.length + character.length <= room) start += character
  const stem = start.replace(/[. ]+$/, '')
  return `${stem === '' ? kind : stem}-${digest}`
}

/** `dc=example,dc=org` as example.org; '': the DN has no such end. */
export const domainOf = (dn: string): string =>
  parseDn(dn)
    .flatMap(([ava]) => (ava?.type.toLowerCase() === 'dc' ? [ava.value] : []))
    .join('.')

/** Names with `@`, or with blanks, would be read in another way. */
const principalName = (username: string, account: string, suffix: string): string =>
  `${/^[^\s@"\\/[\]:;|=,+*?<>]+$/u.test(username) ? username : account.replaceAll(/[\s@]/g, '-')}@${suffix}`

const cut = (value: string, longest: number): string => [...value].slice(0, longest).join('')

/** Lines, which here are text and not a syntax of their own. */
const addressLines = (text: string): string[] => {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? [] : [lines.join('\r\n')]
}

/** The form of Active Directory: `user`, `group` and organizationalUnit. Passwords are in account.ts. */
export const activeDirectoryForm = ({ upnSuffix }: ActiveDirectorySettings): Omit<EntryForm, 'shows'> => ({
  kind: 'active-directory',
  naming: 'cn',
  personClasses,
  userAttributeNames,
  userAttributes(user: UserFacts, id: number): Attributes {
    const account = accountName('user', user.username, id)
    const shown = userAttributes(user)
    const kept = Object.entries(shown).filter(([name]) => !without.has(name) && !(name in otherNames))
    return {
      ...Object.fromEntries(kept),
      objectClass: [...personClasses],
      cn: [user.username],
      sn: (shown.sn ?? []).map((name) => cut(name, 64)),
      streetAddress: user.status === 1 ? addressLines(user.postalAddress) : [],
      sAMAccountName: [account],
      userPrincipalName: [principalName(user.username, account, upnSuffix)],
    }
  },
  groupClasses: (groupType) => ['top', groupType === 'ou' ? 'organizationalUnit' : 'group'],
  groupAttributes(group: GroupFacts, id: number): Attributes {
    const shown = groupAttributes(group, 'groupOfNames', '')
    if (group.groupType === 'ou') return shown
    // Unlike others it may be empty, and has no placeholder.
    const member = group.members
    return {
      ...shown,
      objectClass: ['top', 'group'],
      member,
      sAMAccountName: [accountName('group', group.entryName, id)],
    }
  },
  groupAttributeNames,
})
