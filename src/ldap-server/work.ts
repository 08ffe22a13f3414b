import { LdapError, resultCode } from './result.ts'
import type { Turns } from './turns.ts'

/** Comparisons between two looks at the clock. */
const stride = 32

/** Counts what one search costs, so that it neither goes on for ever nor keeps others waiting. */
export interface Work {
  /**
   * Some comparisons were made.
   * @throws LdapError adminLimitExceeded when these were more than one search may make
   */
  spend(comparisons: number): void
  /** Whether others are to have their turn now. */
  readonly due: boolean
  /** Lets others have their turn; resolves when it is ours again. Throws when the search is to end. */
  rest(): Promise<void>
}

export interface WorkOptions {
  turns: Turns
  /** Whose work it is: among several, each gets the same share. */
  who: string
  /** Comparisons a search may make. */
  most: number
  signal: AbortSignal
}

export const meteredWork = ({ turns, who, most, signal }: WorkOptions): Work => {
  let left = most
  let untilLook = stride
  let due = false
  return {
    spend(comparisons) {
      left -= comparisons
      if (left < 0) {
        throw new LdapError(
          resultCode.adminLimitExceeded,
          'the search takes too many comparisons: ask for fewer entries, or with a shorter filter',
        )
      }
      untilLook -= comparisons
      if (untilLook > 0) return
      untilLook = stride
      due = turns.over
    },
    get due() {
      return due
    },
    async rest() {
      await turns.next(who)
      due = false
      if (signal.aborted) throw new LdapError(resultCode.other, 'abandoned')
    },
  }
}
