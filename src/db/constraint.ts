import { causesOf, codeOf } from '../failures/caught-error.ts'

/**
 * The name of the constraint or unique index that refused a row because its key exists already (SQLSTATE 23505); null
 * for any other error. Looks through the causes.
 */
export const conflictOn = (error: unknown): string | null => {
  for (const cause of causesOf(error)) {
    const name: unknown = Reflect.get(cause, 'constraint_name')
    if (codeOf(cause) === '23505' && typeof name === 'string') return name
  }
  return null
}
