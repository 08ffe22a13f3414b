import type { Statement } from '../../failures/statement.ts'
import type { Directory, Entry } from '../../ldap/directory.ts'
import { DirectoryError } from '../../ldap/directory-error.ts'
import { keyOfAny } from '../../ldap/dn.ts'
import { steadyTime } from '../../runtime/clock.ts'
import { statements } from '../statements.ts'
import { type GroupLayout, placeholderMember, serviceAccountsDn, unitsOf } from './places.ts'

/** Active Directory marks what it cannot do without ([MS-ADA1] section 2.341): built-in accounts and groups, controllers. */
export const systemAttribute = 'isCriticalSystemObject'

/** Entries that are never overwritten by a record. */
export interface ProtectedPlaces {
  /** Why nothing may be written at this DN; null: it may. */
  reasonAt(dn: string): Statement | null
  /** The same for an entry from the directory, which may have another DN for it. */
  reasonOf(entry: Entry): Statement | null
  /** Whether our own account is at this DN or below it: then it is neither renamed nor deleted. */
  holdsAccount(dn: string): boolean
}

/** The entry that we bind as; null: an administrator without an entry (rootdn). @throws DirectoryError `unavailable` */
export type OwnEntry = () => Promise<Entry | null>

/** Milliseconds for which it is taken as it was read, so that not every small batch reads it. */
const ownEntryStays = 10_000

export const readOwnEntry = ({ bindDn, read }: Pick<Directory, 'bindDn' | 'read'>, now = steadyTime): OwnEntry => {
  let last: { entry: Entry | null; at: number } | null = null
  return async () => {
    const at = now()
    if (last === null || at >= last.at + ownEntryStays) {
      const entry = await read(bindDn, ['entryUUID']).catch((error: unknown) => {
        if (error instanceof DirectoryError && error.kind === 'refused') return null
        throw error
      })
      last = { entry, at }
    }
    return last.entry
  }
}

/**
 * The entry that we bind as is recognized in any spelling: by its DN and entryUUID, or without an entry by LDAP_BIND_DN
 * alone.
 * @throws DirectoryError `unavailable`
 */
export const protectedPlaces = async (
  { baseDn, bindDn }: Pick<Directory, 'baseDn' | 'bindDn'>,
  ownEntry: OwnEntry,
  groupLayout: GroupLayout,
): Promise<ProtectedPlaces> => {
  const own = await ownEntry()
  const base = keyOfAny(baseDn)
  const accounts = [...new Set([keyOfAny(bindDn), ...(own === null ? [] : [keyOfAny(own.dn)])])]
  const uuid = own?.attributes.entryUUID?.[0]?.toLowerCase()
  const ours = new Set(
    [...unitsOf(baseDn, groupLayout), serviceAccountsDn(baseDn), placeholderMember(baseDn)].map(keyOfAny),
  )

  const reasonAt = (dn: string): Statement | null => {
    const key = keyOfAny(dn)
    if (accounts.includes(key)) return statements.own_account()
    if (!isBelowKey(key, base)) return statements.outside()
    return ours.has(key) ? statements.own_layout() : null
  }
  return {
    reasonAt,
    reasonOf: ({ dn, attributes }) => {
      if (uuid !== undefined && attributes.entryUUID?.[0]?.toLowerCase() === uuid) return statements.own_account()
      return attributes[systemAttribute]?.[0] === 'TRUE' ? statements.system_entry() : reasonAt(dn)
    },
    holdsAccount: (dn) => accounts.some((key) => key === keyOfAny(dn) || isBelowKey(key, keyOfAny(dn))),
  }
}

/** In a key an unescaped comma always ends an RDN. */
const isBelowKey = (key: string, above: string): boolean => key.endsWith(`,${above}`)
