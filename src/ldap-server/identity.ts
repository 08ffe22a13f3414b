import { resultCodes } from '../ldap/result-code.ts'
import type { Attribute } from './entries/entry.ts'
import type { SearchScope } from './protocol/request.ts'
import { LdapError } from './result.ts'
import { keyOfDn } from './schema/dn-key.ts'
import { subschemaDn } from './schema/subschema.ts'

/**
 * The identity a connection is bound as; null is anonymous. `id` is that of the entry, and `stored` the value of its
 * password that matched; the root DN may have no entry.
 */
export type Identity = { dn: string; root: true } | BoundEntry | null
export type BoundEntry = { dn: string; root: false; id: number; stored: string }

/** The name by which work is counted and shared out. */
export const nameOf = (identity: Identity): string => (identity === null ? 'anonymous' : identity.dn)

/** Characters of a name that is looked at before a bind: to normalize a long one takes milliseconds. */
const longestServerDn = 256
const subschemaKey = keyOfDn(subschemaDn)

/** Which entry that the server generates about itself has this name, however it is spelled; null: none. */
export const serverEntryOf = (dn: string): 'rootDse' | 'subschema' | null => {
  if (dn === '') return 'rootDse'
  return dn.length <= longestServerDn && keyOfDn(dn) === subschemaKey ? 'subschema' : null
}

/** Whether a search reads an entry that the server generates about itself: the root DSE, or the schema. */
export const isOfServer = (base: string, scope: SearchScope): boolean =>
  scope === 'base' && serverEntryOf(base) !== null

/** @throws LdapError for an anonymous reader; only the root DSE and the schema are public */
export const checkMayRead = (identity: Identity): void => {
  if (identity === null) throw new LdapError(resultCodes.insufficientAccessRights, 'authentication required')
}

/** @throws LdapError for every identity but the root DN */
export const checkMayWrite = (identity: Identity): void => {
  if (identity === null) {
    throw new LdapError(resultCodes.strongerAuthRequired, 'modifications require authentication')
  }
  if (!identity.root) throw new LdapError(resultCodes.insufficientAccessRights, 'no write access')
}

/** Whether an attribute may be shown, compared, searched for or sorted by. */
export type MayRead = (attribute: Pick<Attribute, 'type'>) => boolean

/**
 * Only the root DN may read password hashes.
 * @param readsNtHashes asked at each use, so that a right that was taken away is gone at once
 * @param isHidden whether the reader may not know of an attribute for another reason, by its key
 */
export const mayRead =
  (identity: Identity, readsNtHashes: () => boolean, isHidden: (key: string) => boolean): MayRead =>
  ({ type }) => {
    if (identity?.root === true) return true
    return type.key !== 'userpassword' && (type.key !== 'stewardnthash' || readsNtHashes()) && !isHidden(type.key)
  }
