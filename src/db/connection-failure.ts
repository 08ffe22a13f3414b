import { causesOf, codeOf } from '../caught-error.ts'

/** The errors for which waiting does not help, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refused the password',
  '28000': 'refused the login',
  '3D000': 'has no such database',
  '42501': 'does not let this user create what the schema needs',
}

/** Why a server refused a connection, to be said after its address; undefined: it did not, or waiting may help. */
export const refusalOf = (error: unknown): string | undefined => {
  const code = firstCodeOf(error)
  if (isUnsupported(error)) return 'is PgBouncer: set DATABASE_DIRECT_URL to PostgreSQL itself'
  return Object.hasOwn(refusals, code) ? refusals[code] : undefined
}

/** PgBouncer refuses what it cannot restore for the next client of a connection. */
const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

/** The first code that an error or a cause of it has; empty: none has one. */
export const firstCodeOf = (error: unknown): string => {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause)
    if (code !== undefined) return code
  }
  return ''
}

/** Why a server cannot be used, to be said after its address. */
export const describeFailure = (error: unknown): string => {
  const code = firstCodeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has no address in the DNS (${code})`
  const reason = code === '' && error instanceof Error ? error.message : code
  return refusalOf(error) ?? `does not answer (${reason})`
}
