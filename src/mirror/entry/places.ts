import { parentDn, rdn } from '../../ldap/dn.ts'
import type { RecordKind } from '../touch.ts'

/**
 * LDAP_GROUP_LAYOUT; `nested`: the entry of a group is below that of the group above it. `flat`: all are below
 * `ou=groups`.
 */
export const groupLayouts = ['nested', 'flat'] as const
export type GroupLayout = (typeof groupLayouts)[number]

/** The layout under the base DN. */
export const peopleDn = (baseDn: string): string => `ou=people,${baseDn}`
/** The entry that groups are directly below in the flat layout. */
export const groupsDn = (baseDn: string): string => `ou=groups,${baseDn}`
export const disabledDn = (baseDn: string): string => `ou=disabled,${baseDn}`
const serviceAccountsUnit = 'service-accounts'
/** Created with the first service account. */
export const serviceAccountsDn = (baseDn: string): string => `ou=${serviceAccountsUnit},${baseDn}`

/** The units of a layout, without that of service accounts, which may not be there yet. */
export const unitsOf = (baseDn: string, groupLayout: GroupLayout): string[] => [
  ...[peopleDn(baseDn), disabledDn(baseDn)],
  ...(groupLayout === 'flat' ? [groupsDn(baseDn)] : []),
]

/** Names that an `ou` group directly under the base cannot have: the layout uses them. */
export const reservedGroupNames: readonly string[] = ['people', 'disabled', serviceAccountsUnit]

/** The DN of a person: below the unit of people while enabled (status 1), otherwise parked. */
export const userPlace = (baseDn: string, username: string, status: number, naming: 'uid' | 'cn' = 'uid'): string =>
  `${rdn(naming, username)},${status === 1 ? peopleDn(baseDn) : disabledDn(baseDn)}`

/** The DN of a group; `parentDn` is the parent group's, or the base DN for a group without one. */
export const groupPlace = (parentDn: string, type: string, name: string): string => `${rdn(type, name)},${parentDn}`

/** The DN of a service account. */
export const serviceAccountPlace = (baseDn: string, name: string): string =>
  `${rdn('cn', name)},${serviceAccountsDn(baseDn)}`

/** A temporary name next to `dn` that no other record can have, for an entry that makes its DN free. */
export const asidePlace = (kind: RecordKind, id: number, dn: string): string =>
  `${dn.slice(0, dn.indexOf('='))}=steward-${kind}-${id},${parentDn(dn)}`

/** The placeholder member of an empty group: groupOfNames requires a member. No response ever shows it. */
export const placeholderMember = (baseDn: string): string => `cn=nobody,${baseDn}`
