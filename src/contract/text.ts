/** NUL and lone surrogates: neither PostgreSQL nor LDAP can hold them. */
const unstorable = /[\0\p{Surrogate}]/u

/** What is wrong with a text that cannot be stored anywhere; null if nothing is. */
export const textProblem = (text: string): string | null => {
  const found = unstorable.exec(text)
  if (found === null) return null
  return found[0] === '\0' ? 'must not contain the NUL character' : 'must not contain half of a surrogate pair'
}
