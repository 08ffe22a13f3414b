import { resultCodes } from '../../ldap/result-code.ts'
import type { AdmissionRules } from '../entries/admission-rules.ts'
import { buildAttributes, checkEntry, dnBelow, parentKey, type StoredEntry } from '../entries/entry.ts'
import { checkSuffix, dnKeyOf, dnOf, noSuchObject } from '../entries/locate.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import type { Change, Stamp } from '../protocol/change.ts'
import { LdapError } from '../result.ts'
import { modifiedAttributes } from './modify.ts'
import { renameEntry } from './rename.ts'

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>

const add = (tree: DirectoryTree, change: Of<'add'>, stamp: Stamp, rules: AdmissionRules): void => {
  const dn = dnOf(change.dn)
  const key = dnKeyOf(change.dn)
  const [rdn] = dn
  if (!rdn) throw new LdapError(resultCodes.entryAlreadyExists, 'root DSE already exists')
  checkSuffix(tree, key)
  const attributes = buildAttributes(rules, change.attributes, dn)
  checkEntry(rules, attributes, rdn, null)
  if (tree.get(key)) throw new LdapError(resultCodes.entryAlreadyExists)
  const parent = tree.get(parentKey(key))
  if (!parent && key !== tree.suffix) throw noSuchObject(tree, key)
  const name = parent ? dnBelow(rdn, parent.dn) : change.dn
  tree.put({ id: tree.nextId, dn: name, key, attributes, uuid: stamp.uuid, created: stamp.csn, csn: stamp.csn })
}

const existing = (tree: DirectoryTree, dn: string): StoredEntry => {
  const key = dnKeyOf(dn)
  checkSuffix(tree, key)
  const entry = tree.get(key)
  if (!entry) throw noSuchObject(tree, key)
  return entry
}

const modify = (tree: DirectoryTree, change: Of<'modify'>, { csn }: Stamp, rules: AdmissionRules): void => {
  const entry = existing(tree, change.dn)
  const attributes = modifiedAttributes(rules, entry.attributes, change.modifications)
  checkEntry(rules, attributes, dnOf(entry.dn)[0] ?? [], entry.attributes)
  tree.put({ ...entry, attributes, csn })
}

const remove = (tree: DirectoryTree, change: Of<'delete'>): void => {
  const entry = existing(tree, change.dn)
  if (tree.hasChildren(entry.key)) {
    throw new LdapError(resultCodes.notAllowedOnNonLeaf, 'subordinate objects must be deleted first')
  }
  tree.remove(entry)
}

/**
 * Carries out one write, completely or not at all. The same change with the same stamp on the same tree gives the same
 * tree: that is how the journal restores it.
 * @param rules those for clients, or those for records that were admitted before
 * @throws LdapError with the code slapd would answer; the tree is then unchanged
 */
export const applyChange = (tree: DirectoryTree, change: Change, stamp: Stamp, rules: AdmissionRules): void => {
  if (change.kind === 'add') add(tree, change, stamp, rules)
  else if (change.kind === 'modify') modify(tree, change, stamp, rules)
  else if (change.kind === 'rename') renameEntry(tree, existing(tree, change.dn), change, stamp, rules)
  else remove(tree, change)
}
