import type { Reason } from '../failures/reason-table.ts'
import { reasons } from '../text/reasons.ts'

/** NUL and lone surrogates: neither PostgreSQL nor LDAP can hold them. */
const unstorable = /[\0\p{Surrogate}]/u

/** What is wrong with a text that cannot be stored anywhere; null if nothing is. */
export const textProblem = (text: string): Reason | null => {
  const found = unstorable.exec(text)
  if (found === null) return null
  return found[0] === '\0' ? reasons.nul : reasons.surrogate
}
