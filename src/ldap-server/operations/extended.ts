import { resultCodes } from '../../ldap/result-code.ts'
import { type Identity, nameOf } from '../access.ts'
import { type ChangePassword, passwordModifyResponse, readPasswordModify } from '../change-password.ts'
import { findEntry } from '../locate.ts'
import type { Result } from '../reply.ts'
import type { ExtendedRequest } from '../request.ts'
import { LdapError } from '../result.ts'
import type { DirectoryTree } from '../tree.ts'
import { accountOf } from './bind.ts'

/** Served by the connection itself (RFC 4511 section 4.14); where TLS is not configured it is unknown. */
export const startTlsOid = '1.3.6.1.4.1.1466.20037'
export const whoAmIOid = '1.3.6.1.4.1.4203.1.11.3'
export const passwordModifyOid = '1.3.6.1.4.1.4203.1.11.1'

export interface ExtendedDependencies {
  tree: DirectoryTree
  /** The base DN as it is written. */
  baseDn: string
  /** null: passwords cannot be changed here. */
  changePassword: ChangePassword | null
}

/** "Password Modify" (RFC 3062): everyone may change their own password, and the root DN that of others. */
const modifyPassword = async (
  { tree, baseDn, changePassword }: ExtendedDependencies & { changePassword: ChangePassword },
  { value }: ExtendedRequest,
  identity: Identity,
  address: string,
): Promise<Result> => {
  const request = readPasswordModify(value)
  if (identity === null) {
    throw new LdapError(resultCodes.strongerAuthRequired, 'only authenticated users may change passwords')
  }
  const dn = request.identity?.replace(/^dn:/i, '') ?? identity.dn
  const own = !identity.root && findEntry(tree, identity.dn).key === findOwn(tree, dn)
  if (!own && !identity.root) throw new LdapError(resultCodes.insufficientAccessRights, 'only your own password')
  const { dn: entryDn } = findEntry(tree, dn)
  const account = accountOf(entryDn)
  if (account === null) throw new LdapError(resultCodes.unwillingToPerform, 'not the entry of a person')
  const { oldPassword, newPassword } = request
  const by = own ? 'the person' : 'the administrator'
  const made = await changePassword({ entryDn, account, baseDn, by, address, oldPassword, newPassword })
  return {
    code: resultCodes.success,
    ...(made !== null && { value: passwordModifyResponse(made) }),
    ...(own && { last: `the password of ${nameOf(identity)} was changed: bind again` }),
  }
}

/** The key of the entry of that name; null where it does not exist. */
const findOwn = (tree: DirectoryTree, dn: string): string | null => {
  try {
    return findEntry(tree, dn).key
  } catch (error) {
    if (error instanceof LdapError && error.code === resultCodes.noSuchObject) return null
    throw error
  }
}

/** @throws LdapError protocolError for an operation that this server does not have */
export const extended = async (
  dependencies: ExtendedDependencies,
  request: ExtendedRequest,
  identity: Identity,
  address: string,
): Promise<Result> => {
  const { changePassword } = dependencies
  // "Who am I?" (RFC 4532)
  if (request.oid === whoAmIOid) return { code: resultCodes.success, value: identity ? `dn:${identity.dn}` : '' }
  if (request.oid === passwordModifyOid && changePassword) {
    return modifyPassword({ ...dependencies, changePassword }, request, identity, address)
  }
  throw new LdapError(resultCodes.protocolError, 'unsupported extended operation')
}
