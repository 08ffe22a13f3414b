import { matchingKey } from '../ldap/dn.ts'
import { nameProblem } from '../ldap/field-values.ts'

/**
 * The key under which a name is unique, and by which the directory compares it.
 * @throws AppError (invalid) where the directory would see no name at all, or where nobody could see what the name is
 */
export const nameKey = (field: 'username' | 'groupName', name: string): string => {
  const problem = nameProblem(name)
  if (problem !== null) throw problem.at(field)
  return matchingKey(name)
}
