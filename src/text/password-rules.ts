import type { Reason } from '../failures/reason-table.ts'
import { commonPasswords } from './common-passwords.ts'
import { reasons } from './reasons.ts'

const shortest = 8
const longest = 128

/** Names that every attacker knows; the username and PASSWORD_WORDS are added to them. */
const knownNames = ['steward', 'password', 'passwort', 'administrator']

/** Characters that a password needs in addition to a name. */
const besideNames = 5

/** Whether it has as many characters (code points) as a new password may have. */
export const hasPasswordLength = (password: string): boolean => {
  const length = [...password].length
  return length >= shortest && length <= longest
}

/**
 * What is wrong with a new password: it has 8 to 128 characters (code points), is not among the commonest, and is not a
 * name that an attacker knows with a few characters around it (OWASP ASVS 5.0, 6.2.4 and 6.2.11). null: nothing is wrong.
 * @param names of the person and the organisation, in any case
 */
export const passwordProblem = (password: string, names: readonly string[] = []): Reason | null => {
  if (!hasPasswordLength(password)) return reasons.password_length
  const folded = password.toLowerCase()
  if (commonPasswords.has(folded)) return reasons.password_common
  const known = [...knownNames, ...names.map((name) => name.toLowerCase())].filter((name) => [...name].length >= 3)
  const tooClose = known.some((name) => folded.includes(name) && [...folded.replaceAll(name, '')].length < besideNames)
  return tooClose ? reasons.password_known_name : null
}

/** @throws AppError (invalid) naming the field, never the password */
export const checkPassword = (field: string, password: string, names: readonly string[] = []): void => {
  const problem = passwordProblem(password, names)
  if (problem !== null) throw problem.at(field)
}
