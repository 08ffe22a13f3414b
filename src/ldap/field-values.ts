import type { Reason } from '../failures/reason-table.ts'
import { matchingKey } from '../text/matching-key.ts'
import { reasons } from '../text/reasons.ts'

const controlCharacter = /\p{Cc}/u

/** Why the directory cannot hold the name, or why a reader could not see it; null: the name is valid. */
export const nameProblem = (name: string): Reason | null => {
  if (controlCharacter.test(name)) return reasons.control_characters
  return matchingKey(name) === '' ? reasons.nothing_visible : null
}
