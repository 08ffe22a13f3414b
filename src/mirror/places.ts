import { parentDn, rdn } from '../ldap/dn.ts'
import type { RecordKind } from './touch.ts'

/** Where things are under the base DN. */
export const peopleDn = (baseDn: string): string => `ou=people,${baseDn}`
export const disabledDn = (baseDn: string): string => `ou=disabled,${baseDn}`

/** Names that an `ou` group directly under the base cannot have: the layout's own. */
export const reservedGroupNames: readonly string[] = ['people', 'disabled']

/** The DN of a person: among the people while enabled (status 1), parked when not. */
export const userPlace = (baseDn: string, username: string, status: number): string =>
  `${rdn('uid', username)},${status === 1 ? peopleDn(baseDn) : disabledDn(baseDn)}`

/** The DN of a group; `parentDn` is the parent group's, or the base DN for a group without one. */
export const groupPlace = (parentDn: string, type: string, name: string): string => `${rdn(type, name)},${parentDn}`

/** A name beside `dn` that no other record can want, for one that makes room there for a while. */
export const asidePlace = (kind: RecordKind, id: number, dn: string): string =>
  `${dn.slice(0, dn.indexOf('='))}=steward-${kind}-${id},${parentDn(dn)}`

/** The member that stands for "nobody": a group of names cannot be without one. No answer ever shows it. */
export const placeholderMember = (baseDn: string): string => `cn=nobody,${baseDn}`
