import type { resultCodes } from '../ldap/result-code.ts'

export type ResultCode = (typeof resultCodes)[keyof typeof resultCodes]

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
