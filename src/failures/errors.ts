/** Errors in the terms of the domain; only this file decides the number that a client sees. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timed_out'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media'
  | 'limited'
  | 'headers_too_large'
  | 'internal'
  | 'upstream'
  | 'unavailable'

/** The code of each kind. The directory envelope has it as `code`; the other documents also as HTTP status. */
export const errorCodes: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  limited: 429,
  headers_too_large: 431,
  internal: 500,
  upstream: 502,
  unavailable: 503,
}

/**
 * What a text of the tables of reasons says in this case: the value of each `{name}` in it, and under `name.0` the same as
 * JSON where it can be translated (see statement.ts). Never a secret.
 */
export type Values = Readonly<Record<string, string>>

/** What is wrong, as its table of reasons says it (see reason-table.ts). */
export interface Stated {
  /** The stable code, such as `people.username_taken`. */
  reason: string
  params: Values
  message: string
}

/** One thing wrong with a request: where (`username`, `userIds.3`) and what. */
export interface FieldProblem extends Stated {
  field: string
}

/** What a caller with a valid token has to do before they may continue (RFC 9470); the response's `data`. */
export interface Challenge {
  required: 'second_factor'
  /** How they can prove it; empty: they have neither an authenticator app nor a mail address yet. */
  methods: readonly ('totp' | 'recovery' | 'mail')[]
  /** Seconds that the proof is valid. */
  maxAge: number
}

export interface AppErrorOptions {
  cause?: unknown
  /** Goes to the client as the envelope's `data`. Never a secret. */
  details?: readonly FieldProblem[]
  /** Seconds until a new try makes sense; becomes `Retry-After`. */
  retryAfter?: number
  /** Sent to the client in place of details: the result of the operation, although it failed. Never a secret. */
  data?: object
  /** Sent to the client in place of details, with a `WWW-Authenticate` header. */
  challenge?: Challenge
}

/**
 * An error whose message is meant for the client, made by a table of reasons (see reason-table.ts). Anything else that
 * is thrown is answered as 500 without its text.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly reason: string
  readonly params: Values
  readonly details: readonly FieldProblem[] | undefined
  readonly data: object | undefined
  readonly retryAfter: number | undefined
  readonly challenge: Challenge | undefined

  constructor(kind: ErrorKind, { reason, params, message }: Stated, options: AppErrorOptions = {}) {
    const { cause, details, data, retryAfter, challenge } = options
    super(message, { cause })
    this.name = 'AppError'
    this.kind = kind
    this.reason = reason
    this.params = params
    this.details = details
    this.data = data
    this.retryAfter = retryAfter
    this.challenge = challenge
  }

  get code(): number {
    return errorCodes[this.kind]
  }
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
