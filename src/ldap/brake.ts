import type { DirectoryError } from './directory-error.ts'

/** Refusals by the server, one after the other, from which on the rest of a batch is not sent. */
const enough = 8

/** A write that was not sent, because the server has just refused others like it. The message says why. */
export class NotSent extends Error {}

/** Keeps a batch from asking a server again and again that refuses everything: a read-only one, say. */
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
