import { resultCodes } from '../../ldap/result-code.ts'
import { LdapError } from '../result.ts'
import type { Turns } from './turns.ts'

/** Comparisons between two checks of the clock. */
const stride = 32

/** Counts the cost of one search, so that it ends and does not block others. */
export interface Work {
  /**
   * Adds comparisons to the count.
   * @throws LdapError adminLimitExceeded when a search has made more than it may
   */
  spend(comparisons: number): void
  /** Whether it is another search's turn. */
  readonly due: boolean
  /** Yields to other searches; resolves at the next turn. Throws when the search is to end. */
  rest(): Promise<void>
}

export interface WorkOptions {
  turns: Turns
  /** The name the work is counted for: each name gets the same share. */
  who: string
  /** Comparisons a search may make. */
  max: number
  signal: AbortSignal
}

export const meteredWork = ({ turns, who, max, signal }: WorkOptions): Work => {
  let left = max
  let untilLook = stride
  let due = false
  return {
    spend(comparisons) {
      left -= comparisons
      if (left < 0) {
        throw new LdapError(
          resultCodes.adminLimitExceeded,
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
      if (signal.aborted) throw new LdapError(resultCodes.other, 'abandoned')
    },
  }
}
