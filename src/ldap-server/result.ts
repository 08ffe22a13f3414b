/** The result codes this server answers (RFC 4511 section 4.1.9 and appendix A). */
export const resultCode = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  adminLimitExceeded: 11,
  unavailableCriticalExtension: 12,
  confidentialityRequired: 13,
  noSuchAttribute: 16,
  undefinedAttributeType: 17,
  inappropriateMatching: 18,
  constraintViolation: 19,
  attributeOrValueExists: 20,
  invalidAttributeSyntax: 21,
  noSuchObject: 32,
  invalidDNSyntax: 34,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
  namingViolation: 64,
  objectClassViolation: 65,
  notAllowedOnNonLeaf: 66,
  entryAlreadyExists: 68,
  objectClassModsProhibited: 69,
  affectsMultipleDSAs: 71,
  other: 80,
} as const

export type ResultCode = (typeof resultCode)[keyof typeof resultCode]

/** A result that is not success. The message is sent to the client. */
export class LdapError extends Error {
  readonly code: ResultCode
  /** The deepest existing entry above a name that does not exist (RFC 4511 section 4.1.9). */
  readonly matchedDn: string
  readonly controls: readonly Buffer[]
  constructor(code: ResultCode, message = '', matchedDn = '', controls: readonly Buffer[] = []) {
    super(message)
    this.name = 'LdapError'
    this.code = code
    this.matchedDn = matchedDn
    this.controls = controls
  }
}
