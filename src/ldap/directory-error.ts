/**
 * Why the directory did not do what was asked.
 * - `unavailable`: no connection, no answer in time, or a server that says "not now"; the same request may work later,
 *   and whether it was carried out may be unknown.
 * - `refused`: the server (or this adapter, before sending) says no to this very request; repeating it is pointless.
 */
export type DirectoryErrorKind = 'unavailable' | 'refused'

interface DirectoryErrorDetails {
  code?: number | null
  answered?: boolean
  index?: number | undefined
  diagnosis?: string
  cause?: unknown
}

/** The message is safe to show: it names codes and what the server said, never a password or a value sent. */
export class DirectoryError extends Error {
  readonly kind: DirectoryErrorKind
  /** LDAP result code (RFC 4511 section 4.1.9); null where no server answered. */
  readonly code: number | null
  /** Whether a directory that takes requests of ours answered this one: then the error is about nothing else. */
  readonly answered: boolean
  /** In a transaction: position of the refused write, where the server tells. */
  readonly index: number | undefined
  /** What the server said, without what it was asked: the same for all requests that it refuses alike. */
  readonly diagnosis: string

  constructor(
    kind: DirectoryErrorKind,
    message: string,
    { code = null, answered = code !== null, index, diagnosis, cause }: DirectoryErrorDetails = {},
  ) {
    super(message, { cause })
    this.name = 'DirectoryError'
    this.kind = kind
    this.code = code
    this.answered = answered
    this.index = index
    this.diagnosis = diagnosis ?? message
  }
}

export const isUnavailable = (error: unknown): error is DirectoryError =>
  error instanceof DirectoryError && error.kind === 'unavailable'

/** A directory in which our layout cannot be made is out of reach, too, until somebody mends it. */
export const outOfService = (error: unknown): never => {
  throw error instanceof DirectoryError && error.kind === 'refused'
    ? new DirectoryError('unavailable', error.message, { code: error.code, answered: false, cause: error })
    : error
}
