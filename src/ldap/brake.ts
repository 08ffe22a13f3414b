import type { Statement } from '../failures/statement.ts'
import type { DirectoryError } from './directory-error.ts'
import { statements } from './statements.ts'

/** After this many refusals in a row, the rest of a batch is not sent. */
const enough = 8

/** A write that was not sent, because the server has just refused others like it. The message says why. */
export class NotSent extends Error {
  readonly stated: Statement

  constructor(stated: Statement) {
    super(stated.text)
    this.stated = stated
  }
}

/** Stops a batch against a server that refuses every write, for example a read-only one. */
export interface Brake {
  /** Asked before each write. @throws NotSent */
  check(): void
  accepted(): void
  refused(error: DirectoryError): void
}

export const openBrake = (): Brake => {
  let inARow = 0
  let reason = statements.said({ words: '' })
  return {
    check() {
      if (inARow >= enough) throw new NotSent(reason)
    },
    accepted() {
      inARow = 0
    },
    refused({ diagnosis }) {
      inARow++
      reason = statements.no_changes({ problem: diagnosis })
    },
  }
}
