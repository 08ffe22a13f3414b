/**
 * The name of the constraint or unique index that refused a row because its key exists already (SQLSTATE 23505); null
 * for any other error. Looks through `cause` (DrizzleQueryError).
 */
export const conflictOn = (error: unknown): string | null => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const name: unknown = Reflect.get(at, 'constraint_name')
    if (Reflect.get(at, 'code') === '23505' && typeof name === 'string') return name
  }
  return null
}
