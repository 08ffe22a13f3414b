/**
 * Whether the server gave this transaction up because it and others waited for each other (SQLSTATE 40P01), or because
 * it could not be put in a row with them (40001). It has changed nothing and can be made again. Looks through `cause`
 * (DrizzleQueryError).
 */
export const isDeadlock = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (code === '40P01' || code === '40001') return true
  }
  return false
}
