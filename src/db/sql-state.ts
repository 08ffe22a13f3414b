import { causesOf, codeOf } from '../failures/caught-error.ts'

/** The SQLSTATE of the server's error; null for any other error. Looks through the causes. */
export const sqlStateOf = (error: unknown): string | null => {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    if (cause.name === 'PostgresError' && code !== undefined) return code
  }
  return null
}
