import type { Statement } from '../failures/statement.ts'
import { statements } from './statements.ts'

/**
 * Why the directory did not carry out a request.
 * - `unavailable`: no connection, no response in time, or a server that is busy. The same request may work later, and
 * it
 *   may be unknown whether this one was carried out.
 * - `refused`: the server (or this adapter, before sending) refuses this request. Repeating it is pointless.
 */
export type DirectoryErrorKind = 'unavailable' | 'refused'

interface DirectoryErrorDetails {
  code?: number | null
  answered?: boolean
  index?: number | undefined
  diagnosis?: string
  cause?: unknown
}

/** The message is safe to show: it names codes and the server's diagnostic, never a password or a value sent. */
export class DirectoryError extends Error {
  readonly kind: DirectoryErrorKind
  /** The message in a form that can be translated. */
  readonly stated: Statement
  /** LDAP result code (RFC 4511 section 4.1.9); null where no server answered. */
  readonly code: number | null
  /** Whether a directory that accepts our requests answered this one: the error is then about this request only. */
  readonly answered: boolean
  /** In a transaction: position of the refused write, where the server tells. */
  readonly index: number | undefined
  /** The server's diagnostic without the request: the same for all requests that it refuses for one reason. */
  readonly diagnosis: string

  constructor(
    kind: DirectoryErrorKind,
    stated: Statement | string,
    { code = null, answered = code !== null, index, diagnosis, cause }: DirectoryErrorDetails = {},
  ) {
    const statement = typeof stated === 'string' ? statements.said({ words: stated }) : stated
    super(statement.text, { cause })
    this.name = 'DirectoryError'
    this.kind = kind
    this.stated = statement
    this.code = code
    this.answered = answered
    this.index = index
    this.diagnosis = diagnosis ?? statement.text
  }
}

export const isUnavailable = (error: unknown): error is DirectoryError =>
  error instanceof DirectoryError && error.kind === 'unavailable'

/** A directory in which our layout cannot be created counts as unavailable until an administrator repairs it. */
export const outOfService = (error: unknown): never => {
  throw error instanceof DirectoryError && error.kind === 'refused'
    ? new DirectoryError('unavailable', error.stated, { code: error.code, answered: false, cause: error })
    : error
}
