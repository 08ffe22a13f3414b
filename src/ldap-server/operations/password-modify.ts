import { resultCodes } from '../../ldap/result-code.ts'
import type { ChangePassword } from '../authentication/change-password.ts'
import { findEntry } from '../entries/locate.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import { type Identity, nameOf } from '../identity.ts'
import { BerReader, octetString, sequence } from '../protocol/ber.ts'
import type { Result } from '../protocol/reply.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { LdapError } from '../result.ts'
import { accountOf } from './bind.ts'

export const passwordModifyOid = '1.3.6.1.4.1.4203.1.11.1'

export interface PasswordModifyDependencies {
  tree: DirectoryTree
  /** The base DN as it is written. */
  baseDn: string
  changePassword: ChangePassword
}

const identityTag = 0x80
const oldTag = 0x81
const newTag = 0x82
const madeTag = 0x80

/** @throws BerError */
const readRequest = (value: Buffer | null) => {
  const reader = new BerReader(value ?? sequence()).sequence()
  const next = (tag: number): string | null => (reader.next === tag ? reader.text(tag) : null)
  return { identity: next(identityTag), oldPassword: next(oldTag), newPassword: next(newTag) }
}

const responseValue = (made: string): Buffer => sequence(octetString(made, madeTag))

/** The key of the entry of that name; null where it does not exist. */
const keyOfEntry = (tree: DirectoryTree, dn: string): string | null => {
  try {
    return findEntry(tree, dn).key
  } catch (error) {
    if (error instanceof LdapError && error.code === resultCodes.noSuchObject) return null
    throw error
  }
}

/** "Password Modify" (RFC 3062): everyone may change their own password, and the root DN that of others. */
export const modifyPassword = async (
  { tree, baseDn, changePassword }: PasswordModifyDependencies,
  { value }: ExtendedRequest,
  identity: Identity,
  address: string,
): Promise<Result> => {
  const request = readRequest(value)
  if (identity === null) {
    throw new LdapError(resultCodes.strongerAuthRequired, 'only authenticated users may change passwords')
  }
  const dn = request.identity?.replace(/^dn:/i, '') ?? identity.dn
  const own = !identity.root && findEntry(tree, identity.dn).key === keyOfEntry(tree, dn)
  if (!own && !identity.root) throw new LdapError(resultCodes.insufficientAccessRights, 'only your own password')
  const { dn: entryDn } = findEntry(tree, dn)
  const account = accountOf(entryDn)
  if (account === null) throw new LdapError(resultCodes.unwillingToPerform, 'not the entry of a person')
  const { oldPassword, newPassword } = request
  const by = own ? 'the person' : 'the administrator'
  const made = await changePassword({ entryDn, account, baseDn, by, address, oldPassword, newPassword })
  return {
    code: resultCodes.success,
    ...(made !== null && { value: responseValue(made) }),
    ...(own && { disconnectReason: `the password of ${nameOf(identity)} was changed: bind again` }),
  }
}
