import type { DirectoryError } from '../../ldap/directory-error.ts'
import { resultCodes } from '../../ldap/result-code.ts'

const limits =
  'Let this account read everything (OpenLDAP: olcLimits with size=unlimited; Active Directory: MaxResultSetSize), or narrow EXTLDAP_BASE_DN or the filters.'
const encrypt = 'Use ldaps:// in EXTLDAP_URL, or set EXTLDAP_STARTTLS=on.'
const later = 'Nothing was changed; the next run reads everything anew.'

const advice: ReadonlyMap<number, string> = new Map([
  [resultCodes.timeLimitExceeded, 'Raise the time limit of this account, or index the attributes of the filters.'],
  [resultCodes.sizeLimitExceeded, limits],
  [resultCodes.adminLimitExceeded, limits],
  [resultCodes.strongerAuthRequired, encrypt],
  [resultCodes.confidentialityRequired, encrypt],
  [resultCodes.referral, 'Set EXTLDAP_URL to the server that holds EXTLDAP_BASE_DN itself.'],
  [resultCodes.unavailableCriticalExtension, 'The server cannot answer page by page (RFC 2696): enable that there.'],
  [
    resultCodes.noSuchObject,
    'Check EXTLDAP_BASE_DN, and that the account may read it: servers deny what they may not show.',
  ],
  [resultCodes.invalidDNSyntax, 'Check EXTLDAP_BASE_DN and EXTLDAP_BIND_DN.'],
  [resultCodes.inappropriateAuthentication, 'Check EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD.'],
  [resultCodes.invalidCredentials, 'Check EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD.'],
  [resultCodes.insufficientAccessRights, 'Grant the account the right to read everything below EXTLDAP_BASE_DN.'],
  [resultCodes.busy, `The server is busy. ${later}`],
  [resultCodes.unavailable, `The server is not ready. ${later}`],
])

/** The advice for an administrator. */
export const adviceFor = ({ code, message }: DirectoryError): string => {
  if (code !== null) return advice.get(code) ?? `See the server's own log for what it says. ${later}`
  if (/certificate|altname/i.test(message)) {
    return 'Set EXTLDAP_CA_FILE to the authority that signed the server’s certificate, and EXTLDAP_URL to the name in it.'
  }
  if (/did not answer within/.test(message)) return `Raise EXTLDAP_TIMEOUT, or see why the server is slow. ${later}`
  return `Check EXTLDAP_URL, and that the server runs and can be reached from here. ${later}`
}
