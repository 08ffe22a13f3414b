import type { Attributes } from '../ldap/directory.ts'
import { activeDirectoryForm } from './active-directory.ts'
import type { ActiveDirectorySettings } from './directory-settings.ts'
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
}

/** The form of servers that know inetOrgPerson (RFC 2798) and verify password hashes. */
const genericForm = (groupClass: GroupClass, baseDn: string): EntryForm => ({
  kind: 'generic',
  naming: 'uid',
  personClasses,
  userAttributes,
  userAttributeNames,
  groupClasses: (groupType) => groupClasses(groupType, groupClass),
  groupAttributes: (group) => groupAttributes(group, groupClass, baseDn),
  groupAttributeNames: groupAttributeNames(groupClass),
})

/** @param activeDirectory null: any other kind of server */
export const entryForm = (
  baseDn: string,
  groupClass: GroupClass,
  activeDirectory: ActiveDirectorySettings | null = null,
): EntryForm => (activeDirectory === null ? genericForm(groupClass, baseDn) : activeDirectoryForm(activeDirectory))
