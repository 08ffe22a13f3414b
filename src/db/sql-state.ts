/** The SQLSTATE of the server's error; null for any other error. Looks through `cause` (DrizzleQueryError). */
export const sqlStateOf = (error: unknown): string | null => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (at.name === 'PostgresError' && typeof code === 'string') return code
  }
  return null
}
