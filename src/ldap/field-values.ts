import { matchingKey } from '../text/matching-key.ts'

const controlCharacter = /\p{Cc}/u

/** Why the directory would hold no such name, or nobody could see what the name is; null: nothing is wrong with it. */
export const nameProblem = (name: string): string | null => {
  if (controlCharacter.test(name)) return 'must not contain control characters'
  return matchingKey(name) === '' ? 'must contain a visible character' : null
}
