import { type Dn, DnSyntaxError, normalizeDn, parseDn } from '../../ldap/dn.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import { longestDn } from '../schema/syntaxes.ts'
import { parentKey, type StoredEntry } from './entry.ts'
import type { DirectoryTree } from './tree.ts'

const readDn = <T>(read: (text: string) => T, text: string, message: string): T => {
  if (text.length > longestDn) throw new LdapError(resultCodes.invalidDNSyntax, message)
  try {
    return read(text)
  } catch (error) {
    if (error instanceof DnSyntaxError) throw new LdapError(resultCodes.invalidDNSyntax, message)
    throw error
  }
}

/** @throws LdapError invalidDNSyntax */
export const dnOf = (text: string, message = 'invalid DN'): Dn => readDn(parseDn, text, message)

/** @throws LdapError invalidDNSyntax */
export const dnKeyOf = (text: string): string => readDn(normalizeDn, text, 'invalid DN')

export const isBelow = (key: string, base: string): boolean => key === base || key.endsWith(`,${base}`)

/** noSuchObject with the deepest existing entry above the name. */
export const noSuchObject = (tree: DirectoryTree, key: string, message = ''): LdapError => {
  let above = isBelow(key, tree.suffix) ? parentKey(key) : ''
  while (above !== '' && !tree.get(above)) above = parentKey(above)
  return new LdapError(resultCodes.noSuchObject, message, tree.get(above)?.dn ?? '')
}

/** @throws LdapError invalidDNSyntax or noSuchObject */
export const findEntry = (tree: DirectoryTree, dn: string): StoredEntry => {
  const key = dnKeyOf(dn)
  const entry = tree.get(key)
  if (!entry) throw noSuchObject(tree, key)
  return entry
}

/** @throws LdapError unwillingToPerform for a name outside of this server's suffix */
export const checkSuffix = (tree: DirectoryTree, key: string): void => {
  if (!isBelow(key, tree.suffix)) throw new LdapError(resultCodes.unwillingToPerform, 'no global superior knowledge')
}
