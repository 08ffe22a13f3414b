import { matchingKey } from '../ldap/dn.ts'

/** What a number is put behind where a name is taken: `maria` becomes `maria2`, and `b0002` becomes `b0002-2`. */
export interface Stem {
  stem: string
  /** With the number behind it, the key of the stem with the number behind it. */
  stemKey: string
}

/** A dash, and as many digits as a number may have. */
const room = 11

/**
 * The stem of a name. A number is never put right behind another, where it would make the name of somebody else; and
 * with its number the name is not longer than it may be.
 * @param longest characters
 */
export const stemOf = (name: string, longest: number): Stem => {
  const characters = [...name]
  if (characters.length > longest - room) characters.length = longest - room
  const key = matchingKey(characters.join(''))
  // What is not compared at the end (spaces, invisible characters) would be compared with something behind it.
  while (matchingKey(characters.slice(0, -1).join('')) === key && characters.length > 1) characters.pop()
  const dash = /\p{Nd}$/u.test(key) ? '-' : ''
  return { stem: `${characters.join('')}${dash}`, stemKey: `${key}${dash}` }
}
