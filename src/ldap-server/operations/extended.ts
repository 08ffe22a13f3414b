import { resultCodes } from '../../ldap/result-code.ts'
import type { ChangePassword } from '../authentication/change-password.ts'
import type { Identity } from '../identity.ts'
import type { Result } from '../protocol/reply.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { LdapError } from '../result.ts'
import { modifyPassword, type PasswordModifyDependencies, passwordModifyOid } from './password-modify.ts'

export const whoAmIOid = '1.3.6.1.4.1.4203.1.11.3'

export interface ExtendedDependencies extends Omit<PasswordModifyDependencies, 'changePassword'> {
  /** null: passwords cannot be changed here. */
  changePassword: ChangePassword | null
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
