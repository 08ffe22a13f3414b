import { matchingKey } from '../ldap/dn.ts'
import { nameProblem } from '../ldap/field-values.ts'

/**
 * The key under which a name is unique, and by which the directory compares it.
 * @throws AppError (invalid) where the name is empty to the directory, or invisible to a reader
 */
export const nameKey = (field: 'username' | 'groupName', name: string): string => {
  const problem = nameProblem(name)
  if (problem !== null) throw problem.at(field)
  return matchingKey(name)
}
