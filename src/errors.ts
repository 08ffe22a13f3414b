/** What went wrong, in the terms of the domain; the number a client sees is decided here and nowhere else. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media'
  | 'limited'
  | 'internal'
  | 'upstream'
  | 'unavailable'

/** The one table kind → code. The directory envelope carries it as `code`; the other documents as HTTP status too. */
export const errorCodes: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  limited: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
}

/** One thing wrong with a request: where (`username`, `userIds.3`) and what. */
export interface FieldProblem {
  field: string
  message: string
}

/** What a caller with a valid token has to do before he may go on (RFC 9470); the answer's `data`. */
export interface Challenge {
  required: 'second_factor'
  /** How he can prove it; none: he has neither an authenticator app nor a mail address yet. */
  methods: readonly ('totp' | 'recovery' | 'mail')[]
  /** Seconds that the proof counts. */
  maxAge: number
}

export interface AppErrorOptions {
  cause?: unknown
  /** Goes to the client as the envelope's `data`. Never a secret. */
  details?: FieldProblem[]
  /** Seconds until a new try makes sense; becomes `Retry-After`. */
  retryAfter?: number
  /** Goes to the client in place of details: what the operation came to, although it failed. Never a secret. */
  data?: object
  /** Goes to the client in place of details, with a `WWW-Authenticate` header. */
  challenge?: Challenge
}

/** An error whose message is meant for the client. Anything else that is thrown is answered as 500 without its text. */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly details: FieldProblem[] | undefined
  readonly data: object | undefined
  readonly retryAfter: number | undefined
  readonly challenge: Challenge | undefined

  constructor(kind: ErrorKind, message: string, { cause, details, data, retryAfter, challenge }: AppErrorOptions = {}) {
    super(message, { cause })
    this.name = 'AppError'
    this.kind = kind
    this.details = details
    this.data = data
    this.retryAfter = retryAfter
    this.challenge = challenge
  }

  get code(): number {
    return errorCodes[this.kind]
  }
}

/** A request refused because of one field: the message and the details both name it. */
export const fieldError = (
  kind: 'invalid' | 'conflict' | 'forbidden' | 'not_found',
  field: string,
  message: string,
): AppError => new AppError(kind, `${field}: ${message}`, { details: [{ field, message }] })

/** How many problems one answer names. */
const maxProblems = 20

/** Names in a body are the caller's; one that is absurdly long is not repeated whole. */
const maxFieldLength = 200

/** A request refused for its fields: the message names the first, the details up to 20. */
export const invalidInput = (problems: readonly FieldProblem[]): AppError => {
  const details = problems
    .slice(0, maxProblems)
    .map(({ field, message }) => ({ field: field.slice(0, maxFieldLength), message }))
  const [first] = details
  return new AppError('invalid', first ? `${first.field}: ${first.message}` : 'the request is not valid', { details })
}

/** Thrown with every bad setting at once, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}
