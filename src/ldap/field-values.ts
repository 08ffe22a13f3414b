import type { Reason } from '../reason-table.ts'
import { matchingKey } from '../text/matching-key.ts'
import { reasons } from '../text/reasons.ts'

const controlCharacter = /\p{Cc}/u

/** Why the directory would hold no such name, or nobody could see what the name is; null: nothing is wrong with it. */
export const nameProblem = (name: string): Reason | null => {
  if (controlCharacter.test(name)) return reasons.control_characters
  return matchingKey(name) === '' ? reasons.nothing_visible : null
}
