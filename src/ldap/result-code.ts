import type { Statement } from '../failures/statement.ts'
import { beginning } from '../text/beginning.ts'
import { DirectoryError, type DirectoryErrorKind } from './directory-error.ts'
import { statements } from './statements.ts'

/** The result codes of RFC 4511 section 4.1.9, by their names there. */
export const resultCodes = {
  success: 0,
  operationsError: 1,
  protocolError: 2,
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  compareFalse: 5,
  compareTrue: 6,
  authMethodNotSupported: 7,
  strongerAuthRequired: 8,
  referral: 10,
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
  aliasProblem: 33,
  invalidDNSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
  loopDetect: 54,
  namingViolation: 64,
  objectClassViolation: 65,
  notAllowedOnNonLeaf: 66,
  notAllowedOnRDN: 67,
  entryAlreadyExists: 68,
  objectClassModsProhibited: 69,
  affectsMultipleDSAs: 71,
  other: 80,
} as const

/**
 * The codes about the server's state; all other codes refuse the request. `other` is among them: slapd returns it when
 * its own storage fails (a full disk, a full map), and then for every request.
 */
const notNow: ReadonlySet<number> = new Set([
  resultCodes.timeLimitExceeded,
  resultCodes.busy,
  resultCodes.unavailable,
  resultCodes.other,
])

/**
 * The codes that the entry itself causes, whatever the state of the server: the same entry is refused again until the
 * entry or the server's rules for it change. 17, 18 and 65 are rules of the schema. Not among them are 66 (the entries
 * below it may be deleted) and 71 (the tree is spread over servers): both can end without a change of the entry.
 */
const causedByEntry: ReadonlySet<number> = new Set([
  resultCodes.undefinedAttributeType,
  resultCodes.inappropriateMatching,
  resultCodes.constraintViolation,
  resultCodes.attributeOrValueExists,
  resultCodes.invalidAttributeSyntax,
  resultCodes.invalidDNSyntax,
  resultCodes.namingViolation,
  resultCodes.objectClassViolation,
  resultCodes.notAllowedOnRDN,
  resultCodes.objectClassModsProhibited,
])

/** The codes about the present shape of the tree; each is handled by the code that receives it. */
const aboutTheTree: ReadonlySet<number> = new Set([
  resultCodes.noSuchAttribute,
  resultCodes.noSuchObject,
  resultCodes.notAllowedOnNonLeaf,
  resultCodes.entryAlreadyExists,
])

/**
 * Whether the server refused a request for a reason of its own (read-only, a referral, an access rule, a limit, busy, a
 * full disk): the same request may succeed later without a change of the entry.
 */
export const isServerRefusal = ({ code, answered }: DirectoryError): boolean =>
  answered && code !== null && !causedByEntry.has(code) && !aboutTheTree.has(code)

const names = new Map<number, string>(Object.entries(resultCodes).map(([name, code]) => [code, name]))

export const kindOf = (code: number): DirectoryErrorKind => (notNow.has(code) ? 'unavailable' : 'refused')

/** The result of a response. */
export interface Outcome {
  code: number
  /** The server's diagnostic text. */
  message: string
  /** The servers that it refers to instead, as URLs (RFC 4511 section 4.1.10). Default: none. */
  referrals?: readonly string[]
}

/** `entryAlreadyExists (68): the server's diagnostic`, on one line. */
export const describeOutcome = ({ code, message, referrals = [] }: Outcome): string => {
  const text = message.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const detail = text === '' ? '' : `: ${beginning(text, 300)}`
  const elsewhere = placesOf(referrals)
  const to = elsewhere.length === 0 ? '' : ` to ${elsewhere.join(', ')}`
  return `${names.get(code) ?? 'result'} (${code})${to}${detail}`
}

const placesNamed = 3

/** The servers of the first URLs, without the entry, which differs from request to request. */
const placesOf = (urls: readonly string[]): string[] => {
  const places = urls.flatMap((url) => /^ldaps?:\/\/[^\s/?#\p{Cc}]{1,255}/iu.exec(url)?.[0] ?? [])
  return [...new Set(places)].slice(0, placesNamed)
}

/** The error of a response that is not a success; `what` names the request. */
export const outcomeError = (outcome: Outcome, what: Statement, index?: number): DirectoryError => {
  const { code } = outcome
  const diagnosis = describeOutcome(outcome)
  const refused = code === resultCodes.other ? statements.refused_by_storage : statements.refused
  return new DirectoryError(kindOf(code), refused({ what, outcome: diagnosis }), { code, diagnosis, index })
}
