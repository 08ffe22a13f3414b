import type { Attributes } from '../../ldap/directory.ts'
import { activeDirectoryForm } from './active-directory.ts'
import type { ActiveDirectorySettings, ShownAttributes } from './directory-settings.ts'
import {
  type GroupClass,
  type GroupFacts,
  groupAttributeNames,
  groupAttributes,
  groupClasses,
  personClasses,
  type UserFacts,
  userAttributeNames,
  userAttributes,
} from './entry-shape.ts'

/** What entries look like on one kind of server. */
export interface EntryForm {
  kind: 'generic' | 'active-directory'
  /** The attribute that the entry of a person is named by. */
  naming: 'uid' | 'cn'
  personClasses: readonly string[]
  /** Every managed attribute is a key; an empty list means that it must be absent. */
  userAttributes(user: UserFacts, id: number): Attributes
  userAttributeNames: readonly string[]
  groupClasses(groupType: string): string[]
  groupAttributes(group: GroupFacts, id: number): Attributes
  groupAttributeNames: readonly string[]
  /** Whether entries of people show an attribute here; its values are in `userAttributes`, or declared. */
  shows(attribute: string): boolean
}

type WholeForm = Omit<EntryForm, 'shows'>

/** Without these the entry of a person is no account. */
const always = [
  ...['objectClass', 'uid', 'cn', 'sn', 'userPassword', 'sAMAccountName', 'userPrincipalName', 'userAccountControl'],
].map((name) => name.toLowerCase())

/** The form with some attributes of people only; the others are removed from entries. */
const withAttributes = (form: WholeForm, names: readonly string[]): EntryForm => {
  const shown = new Set([...always, ...names.map((name) => name.toLowerCase())])
  const shows = (attribute: string): boolean => shown.has(attribute.toLowerCase())
  return {
    ...form,
    shows,
    userAttributes: (user, id) =>
      Object.fromEntries(
        Object.entries(form.userAttributes(user, id)).map(([name, values]) => [name, shows(name) ? values : []]),
      ),
  }
}

/** The form of servers that know inetOrgPerson (RFC 2798) and verify password hashes. */
const genericForm = (groupClass: GroupClass, baseDn: string): WholeForm => ({
  kind: 'generic',
  naming: 'uid',
  personClasses,
  userAttributes,
  userAttributeNames,
  groupClasses: (groupType) => groupClasses(groupType, groupClass),
  groupAttributes: (group) => groupAttributes(group, groupClass, baseDn),
  groupAttributeNames: groupAttributeNames(groupClass),
})

/**
 * @param activeDirectory null: any other kind of server
 * @param attributes LDAP_ATTRIBUTES
 */
export const entryForm = (
  baseDn: string,
  groupClass: GroupClass,
  activeDirectory: ActiveDirectorySettings | null = null,
  attributes: ShownAttributes = null,
): EntryForm => {
  const form = activeDirectory === null ? genericForm(groupClass, baseDn) : activeDirectoryForm(activeDirectory)
  return Array.isArray(attributes) ? withAttributes(form, attributes) : { ...form, shows: () => true }
}
