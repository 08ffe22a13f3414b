import type { DirectoryError } from './directory-error.ts'

/** After this many refusals in a row, the rest of a batch is not sent. */
const enough = 8

/** A write that was not sent, because the server has just refused others like it. The message says why. */
export class NotSent extends Error {}

/** Stops a batch against a server that refuses every write, for example a read-only one. */
export interface Brake {
  /** Asked before each write. @throws NotSent */
  check(): void
  accepted(): void
  refused(error: DirectoryError): void
}

export const openBrake = (): Brake => {
  let inARow = 0
  let reason = ''
  return {
    check() {
      if (inARow >= enough) throw new NotSent(reason)
    },
    accepted() {
      inARow = 0
    },
    refused({ diagnosis }) {
      inARow++
      reason = `the directory takes no changes: ${diagnosis}`
    },
  }
}
