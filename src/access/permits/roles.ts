import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { only } from '../../db/request-fields.ts'
import { roles } from '../../db/schema.ts'
import { reasons } from '../reasons.ts'
import { type Actor, type Caller, coveredBy, hasAtLeastRank, highestRank, rankOf } from '../seniority.ts'
import { issued, permitOf } from './issue.ts'
import type { NewPermit, Permit } from './permit.ts'

/** A role that is to be changed: its rank now, or its new rank. */
export interface RankedRole {
  id: number
  sort: number
}

/**
 * Callers may not change or create a role of their own rank or a higher one; the highest rank may change every role.
 * @param field names the field of a rank, or of the role that has it
 * @throws AppError (forbidden) naming the first whose rank is too high
 */
const requireRolesBelow = (rank: number, ranks: readonly number[], field: (index: number) => string): void => {
  if (rank === highestRank) return
  const index = ranks.findIndex((sort) => sort <= rank)
  if (index >= 0) throw reasons.role_too_strong.at(field(index))
}

/**
 * A permit to create a role: no user has it yet.
 * @throws AppError (forbidden) naming `sort`
 */
export const permitNewRole = async (tx: Tx, actor: Actor, sort: number): Promise<NewPermit<'role'>> => {
  requireRolesBelow(await rankOf(tx, actor), [sort], only('sort'))
  return { [issued]: true, tx, creates: 'role' }
}

/**
 * A permit to change roles, or to delete them. The roles must be locked, so that no user is given one meanwhile.
 * @param holders whether the change affects what the users of the roles may do
 * @throws AppError (forbidden) naming the first role of too high a rank, or one that a user of too high a rank has
 */
export const permitRoles = async (
  tx: Tx,
  actor: Caller,
  touched: readonly RankedRole[],
  { holders, field }: { holders: boolean; field: (index: number) => string },
): Promise<Permit<'role'>> => {
  const rank = await rankOf(tx, actor)
  requireRolesBelow(
    rank,
    touched.map(({ sort }) => sort),
    field,
  )
  const ids = touched.map(({ id }) => id)
  if (holders && rank !== highestRank) {
    const rows = await tx.execute<{ id: string }>(sql`
      select distinct h.role_id as id from user_roles h
      where h.role_id = ${anyOfIds(ids)} and h.user_id <> ${actor.userId} and ${hasAtLeastRank(rank, sql`h.user_id`)}`)
    const refused = new Set(rows.map(({ id }) => Number(id)))
    const index = ids.findIndex((id) => refused.has(id))
    if (index >= 0) throw reasons.role_holders_too_strong.at(field(index))
  }
  return permitOf(tx, 'role', ids)
}

/**
 * Whether a role may get this rank.
 * @throws AppError (forbidden) naming `sort`
 */
export const requireRoleBelowOwn = async (tx: Tx, actor: Actor, sort: number): Promise<void> =>
  requireRolesBelow(await rankOf(tx, actor), [sort], only('sort'))

/**
 * Enabling a role grants its operations to every user who has it: the caller must have all of them.
 * @throws AppError (forbidden) naming `status`
 */
export const requireCovered = async (tx: Tx, actor: Caller, roleId: number): Promise<void> => {
  if ((await rankOf(tx, actor)) === highestRank) return
  const [role] = await tx.execute<{ covered: boolean }>(
    sql`select ${coveredBy(actor)} as covered from ${roles} where ${roles.id} = ${roleId}`,
  )
  if (!role?.covered) throw reasons.role_beyond.at('status')
}
