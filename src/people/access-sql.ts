import { type SQL, sql } from 'drizzle-orm'
import { reasons } from '../access/reasons.ts'
import { highestRank, noRank } from '../access/seniority.ts'
import type { components } from '../generated/operations.types.ts'

export type Access = components['schemas']['Access']

/** The `access` of a record that the caller may change. */
export const mayChange: Access = { change: true, reason: null }

/** The `access` of a record that the caller may not change, with the reason. */
const json = (access: Access): SQL<Access> => sql`${JSON.stringify(access)}::json`

/**
 * Whether a caller of this rank may change a user, as `requireStronger` (access/seniority.ts) decides it.
 * @param held the smallest sort of the user's roles; null: they have no role
 */
export const accessToUser = (rank: number, held: SQL): SQL<Access> =>
  rank === highestRank
    ? json(mayChange)
    : sql`case when coalesce(${held}, ${noRank}) <= ${rank} then ${json({ change: false, reason: reasons.user_too_strong.code })}
        else ${json(mayChange)} end`
