import type { Directory, Entry } from '../ldap/directory.ts'
import { DirectoryError } from '../ldap/directory-error.ts'
import { keyOfAny } from '../ldap/dn.ts'
import { disabledDn, peopleDn, placeholderMember } from './places.ts'

/** Entries that are never overwritten by a record. */
export interface ProtectedPlaces {
  /** Why nothing may be written at this DN; null: it may. */
  reasonAt(dn: string): string | null
  /** The same for an entry from the directory, which may have another DN for it. */
  reasonOf(entry: Entry): string | null
  /** Whether our own account is at this DN or below it: then it is neither renamed nor deleted. */
  holdsAccount(dn: string): boolean
}

const account = 'Steward itself signs in to the directory as this entry (LDAP_BIND_DN)'
const layout = 'the layout of the directory needs this entry'
const outside = 'this entry is at the base DN, above it, or outside of it'

/**
 * Reads the entry that we bind as, so that it is recognized in any spelling: by its DN and entryUUID. An administrator
 * without an entry (rootdn) is known by LDAP_BIND_DN alone.
 * @throws DirectoryError `unavailable`
 */
export const protectedPlaces = async ({ baseDn, bindDn, read }: Directory): Promise<ProtectedPlaces> => {
  const own = await read(bindDn, ['entryUUID']).catch((error: unknown) => {
    if (error instanceof DirectoryError && error.kind === 'refused') return null
    throw error
  })
  const base = keyOfAny(baseDn)
  const accounts = [...new Set([keyOfAny(bindDn), ...(own === null ? [] : [keyOfAny(own.dn)])])]
  const uuid = own?.attributes.entryUUID?.[0]?.toLowerCase()
  const ours = new Set([peopleDn(baseDn), disabledDn(baseDn), placeholderMember(baseDn)].map(keyOfAny))

  const reasonAt = (dn: string): string | null => {
    const key = keyOfAny(dn)
    if (accounts.includes(key)) return account
    if (!isBelowKey(key, base)) return outside
    return ours.has(key) ? layout : null
  }
  return {
    reasonAt,
    reasonOf: ({ dn, attributes: { entryUUID } }) =>
      uuid !== undefined && entryUUID?.[0]?.toLowerCase() === uuid ? account : reasonAt(dn),
    holdsAccount: (dn) => accounts.some((key) => key === keyOfAny(dn) || isBelowKey(key, keyOfAny(dn))),
  }
}

/** In a key an unescaped comma always ends an RDN. */
const isBelowKey = (key: string, above: string): boolean => key.endsWith(`,${above}`)
