import type { Statement } from '../../failures/statement.ts'
import type { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import { statements } from '../statements.ts'

const advice: ReadonlyMap<number, Statement> = new Map([
  [resultCodes.timeLimitExceeded, statements.raise_time()],
  [resultCodes.sizeLimitExceeded, statements.raise_limits()],
  [resultCodes.adminLimitExceeded, statements.raise_limits()],
  [resultCodes.strongerAuthRequired, statements.encrypt()],
  [resultCodes.confidentialityRequired, statements.encrypt()],
  [resultCodes.referral, statements.ask_holder()],
  [resultCodes.unavailableCriticalExtension, statements.enable_paging()],
  [resultCodes.noSuchObject, statements.check_base_or_rights()],
  [resultCodes.invalidDNSyntax, statements.check_dns()],
  [resultCodes.inappropriateAuthentication, statements.check_account()],
  [resultCodes.invalidCredentials, statements.check_account()],
  [resultCodes.insufficientAccessRights, statements.grant_reading()],
  [resultCodes.busy, statements.server_busy()],
  [resultCodes.unavailable, statements.server_not_ready()],
])

/** The advice for an administrator. */
export const adviceFor = ({ code, message }: DirectoryError): Statement => {
  if (code !== null) return advice.get(code) ?? statements.see_server_log()
  if (/certificate|altname/i.test(message)) return statements.trust_certificate()
  return /did not answer within/.test(message) ? statements.raise_timeout() : statements.check_reachable()
}
