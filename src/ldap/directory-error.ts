/**
 * Why the directory did not do what was asked.
 * - `unavailable`: no connection, no answer in time, or a server that says "not now"; the same request may work later,
 *   and whether it was carried out may be unknown.
 * - `refused`: the server (or this adapter, before sending) says no to this very request; repeating it is pointless.
 */
export type DirectoryErrorKind = 'unavailable' | 'refused'

/** The message is safe to show: it names codes and what the server said, never a password or a value sent. */
export class DirectoryError extends Error {
  readonly kind: DirectoryErrorKind
  /** LDAP result code (RFC 4511 section 4.1.9); null where no server answered. */
  readonly code: number | null
  /** In a transaction: position of the refused write, where the server tells. */
  readonly index: number | undefined

  constructor(
    kind: DirectoryErrorKind,
    message: string,
    { code = null, index, cause }: { code?: number | null; index?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'DirectoryError'
    this.kind = kind
    this.code = code
    this.index = index
  }
}

export const isUnavailable = (error: unknown): error is DirectoryError =>
  error instanceof DirectoryError && error.kind === 'unavailable'

/** A directory in which our layout cannot be made is out of reach, too, until somebody mends it. */
export const outOfService = (error: unknown): never => {
  throw error instanceof DirectoryError && error.kind === 'refused'
    ? new DirectoryError('unavailable', error.message, { code: error.code, cause: error })
    : error
}
