import { fieldError } from '../errors.ts'
import { matchingKey } from '../ldap/dn.ts'

const controlCharacter = /\p{Cc}/u

/**
 * The key under which a name is unique, and by which the directory compares it.
 * @throws AppError (invalid) where the directory would see no name at all, or where nobody could see what the name is
 */
export const nameKey = (field: 'username' | 'groupName', name: string): string => {
  if (controlCharacter.test(name)) throw fieldError('invalid', field, 'must not contain control characters')
  const key = matchingKey(name)
  if (key === '') throw fieldError('invalid', field, 'must contain a visible character')
  return key
}
