import { matchingKey } from './matching-key.ts'

/**
 * The text to which a number is appended where a name is taken: `maria` becomes `maria2`, and `b0002` becomes
 * `b0002-2`.
 */
export interface Stem {
  stem: string
  /** With a number appended, it is the key of the stem with that number. */
  stemKey: string
}

/** A dash, and the most digits that a number may have. */
const room = 11

/**
 * The stem of a name. A number is never appended directly to another, which could make another person's name; and with
 * its number the name is not longer than allowed.
 * @param longest characters
 */
export const stemOf = (name: string, longest: number): Stem => {
  const characters = [...name]
  if (characters.length > longest - room) characters.length = longest - room
  const key = matchingKey(characters.join(''))
  // Characters that are ignored at the end (spaces, invisible ones) would count before a number.
  while (matchingKey(characters.slice(0, -1).join('')) === key && characters.length > 1) characters.pop()
  const dash = /\p{Nd}$/u.test(key) ? '-' : ''
  return { stem: `${characters.join('')}${dash}`, stemKey: `${key}${dash}` }
}
