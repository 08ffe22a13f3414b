import { matchingKey } from './matching-key.ts'

const ascii = /^[\0-\x7f]*$/

/** PrintableString (RFC 4517 section 3.2): what a telephone number in the directory may be made of. */
const printable = /^[A-Za-z0-9'()+,\-./:=? ]*$/

const controlCharacter = /\p{Cc}/u

/** Why the directory would hold no such name, or nobody could see what the name is; null: nothing is wrong with it. */
export const nameProblem = (name: string): string | null => {
  if (controlCharacter.test(name)) return 'must not contain control characters'
  return matchingKey(name) === '' ? 'must contain a visible character' : null
}

/** IA5 String (RFC 4517 section 3.3.15) is the syntax of `mail` (RFC 4524 section 2.16). */
export const mailProblem = (mail: string): string | null =>
  ascii.test(mail) ? null : 'must be ASCII: directories hold no other mail addresses'

export const mobileProblem = (mobile: string): string | null =>
  printable.test(mobile) ? null : "may contain letters, digits, spaces and ' ( ) + , - . / : = ? only"
