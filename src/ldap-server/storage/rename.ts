import { resultCodes } from '../../ldap/result-code.ts'
import type { AdmissionRules } from '../entries/admission-rules.ts'
import {
  checkEntry,
  dnBelow,
  parentKey,
  type StoredEntry,
  withNamingValues,
  withoutNamingValues,
} from '../entries/entry.ts'
import { dnKeyOf, dnOf, isBelow, noSuchObject } from '../entries/locate.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { Change, Stamp } from '../protocol/change.ts'
import { LdapError } from '../result.ts'

type Rename = Extract<Change, { kind: 'rename' }>

const newRdnOf = (text: string) => {
  const [rdn, ...more] = dnOf(text, 'invalid new RDN')
  if (!rdn || more.length > 0) throw new LdapError(resultCodes.invalidDNSyntax, 'invalid new RDN')
  return rdn
}

const newParentOf = (tree: DirectoryTree, entry: StoredEntry, newSuperior: string | null): StoredEntry => {
  if (entry.key === tree.suffix) throw new LdapError(resultCodes.namingViolation, 'cannot rename suffix entry')
  const key = newSuperior === null ? parentKey(entry.key) : dnKeyOf(newSuperior)
  if (!isBelow(key, tree.suffix)) {
    throw new LdapError(resultCodes.affectsMultipleDSAs, 'cannot rename between DSAs')
  }
  if (isBelow(key, entry.key)) throw new LdapError(resultCodes.unwillingToPerform, 'cannot place an entry below itself')
  const parent = tree.get(key)
  if (!parent) throw noSuchObject(tree, key, 'new superior not found')
  return parent
}

/**
 * ModifyDN (RFC 4511 section 4.9): a new RDN, a new parent or both, with everything below.
 * @throws LdapError; the tree is then unchanged
 */
export const renameEntry = (
  tree: DirectoryTree,
  entry: StoredEntry,
  change: Rename,
  { csn }: Stamp,
  rules: AdmissionRules,
): void => {
  const rdn = newRdnOf(change.newRdn)
  const parent = newParentOf(tree, entry, change.newSuperior)
  const dn = dnBelow(rdn, parent.dn)
  const key = dnKeyOf(dn)
  if (key !== entry.key && tree.get(key)) throw new LdapError(resultCodes.entryAlreadyExists)

  const attributes = new Map(entry.attributes)
  if (change.deleteOldRdn) withoutNamingValues(attributes, dnOf(entry.dn)[0] ?? [])
  withNamingValues(rules, attributes, rdn, 'invalid new RDN')
  checkEntry(rules, attributes, rdn, entry.attributes)

  // Collected before the first is moved, because moving changes the descendants.
  const below = key === entry.key && dn === entry.dn ? [] : [...tree.descendants(entry.key)]
  tree.put({ ...entry, dn, key, attributes, csn })
  for (const descendant of below) {
    const newKey = descendant.key.slice(0, -entry.key.length) + key
    const above = tree.get(parentKey(newKey))
    const [ownRdn = []] = dnOf(descendant.dn)
    tree.put({ ...descendant, dn: dnBelow(ownRdn, above?.dn ?? dn), key: newKey })
  }
}
