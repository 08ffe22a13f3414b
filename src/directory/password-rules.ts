import { fieldError } from '../errors.ts'
import { commonPasswords } from './common-passwords.ts'

const shortest = 8
const longest = 128

/** What is wrong with a new password: it has to have 8 to 128 characters (code points) and be none of the commonest. */
export const passwordProblem = (password: string): string | null => {
  const length = [...password].length
  if (length < shortest || length > longest) return `must have ${shortest} to ${longest} characters`
  return commonPasswords.has(password.toLowerCase()) ? 'is one of the commonest passwords: choose another' : null
}

/** @throws AppError (invalid) naming the field, never the password */
export const checkPassword = (field: string, password: string): void => {
  const problem = passwordProblem(password)
  if (problem !== null) throw fieldError('invalid', field, problem)
}
