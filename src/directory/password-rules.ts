import { fieldError } from '../errors.ts'
import { commonPasswords } from './common-passwords.ts'

const shortest = 8
const longest = 128

/**
 * What a new password has to be: 8 to 128 characters (code points) and none of the commonest, whatever its case.
 * @throws AppError (invalid) naming the field, never the password
 */
export const checkPassword = (field: string, password: string): void => {
  const length = [...password].length
  if (length < shortest || length > longest) {
    throw fieldError('invalid', field, `must have ${shortest} to ${longest} characters`)
  }
  if (commonPasswords.has(password.toLowerCase())) {
    throw fieldError('invalid', field, 'is one of the commonest passwords: choose another')
  }
}
