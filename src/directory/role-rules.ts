import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { roles, userRoles } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import { idList } from '../ldap/touch.ts'
import { inRequestOrder } from './existing.ts'
import { administratorKeyword } from './principal-query.ts'
import { only } from './request-fields.ts'
import { type Actor, coveredBy, rankOf, strongest } from './seniority.ts'

/** Who may make, change and delete which role. All of it holds inside the transaction that makes the change. */

export interface LockedRole {
  id: number
  keyword: string
  sort: number
  status: number
}

/**
 * Takes roles for this transaction, in id order: nobody can change them, or give them to anybody, meanwhile.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const lockRoles = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<LockedRole[]> => {
  const rows = await tx
    .select({ id: roles.id, keyword: roles.keyword, sort: roles.sort, status: roles.status })
    .from(roles)
    .where(sql`${roles.id} in (${idList(ids)})`)
    .orderBy(roles.id)
    .for('update')
  return inRequestOrder('role', rows, ids, field)
}

/** One role taken for this transaction. */
export const lockRole = async (tx: Tx, id: number, field: string): Promise<LockedRole> => {
  const [role] = await lockRoles(tx, [id], only(field))
  if (role === undefined) throw new Error('A role that was locked is not there')
  return role
}

/**
 * Nobody may touch a role as strong as himself, nor make one; the strongest may touch every role.
 * @param strengths the `sort` of each role, as it is and as it is to be
 * @param field names the field that a strength, or the role that has it, came from
 * @throws AppError (forbidden) naming the first that is too strong
 */
export const requireWeaker = async (
  tx: Tx,
  actor: Actor,
  strengths: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const rank = await rankOf(tx, actor)
  if (rank === strongest) return
  const index = strengths.findIndex((sort) => sort <= rank)
  if (index >= 0)
    throw fieldError('forbidden', field(index), 'roles as strong as your own or stronger are not yours to touch')
}

/**
 * To enable a role is to grant what it grants, to everybody who has it: nobody may do that with what is not his.
 * @throws AppError (forbidden) naming `status`
 */
export const requireCovered = async (tx: Tx, actor: Actor, roleId: number): Promise<void> => {
  if ((await rankOf(tx, actor)) === strongest) return
  const [role] = await tx.execute<{ covered: boolean }>(
    sql`select ${coveredBy(actor)} as covered from ${roles} where ${roles.id} = ${roleId}`,
  )
  if (!role?.covered) throw fieldError('forbidden', 'status', 'the role grants operations that you do not hold')
}

export const isAdministratorRole = (role: Pick<LockedRole, 'keyword'>): boolean => role.keyword === administratorKeyword

/**
 * The administrator's role stays what it is: enabled, the strongest, and known by its keyword.
 * @throws AppError (forbidden) naming the field that would change that
 */
export const requireLastingAdministrator = (
  role: LockedRole,
  changes: Partial<Pick<LockedRole, 'keyword' | 'sort' | 'status'>>,
): void => {
  if (!isAdministratorRole(role)) return
  for (const field of ['keyword', 'sort', 'status'] as const) {
    if ((changes[field] ?? role[field]) !== role[field]) {
      throw fieldError('forbidden', field, "cannot change: this is the administrator's role")
    }
  }
}

/**
 * A role that somebody has cannot go: he would lose what it grants without anybody having said so.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (conflict) naming the first that is held, and by how many
 */
export const requireUnheld = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const rows = await tx.execute<{ id: string; holders: string }>(sql`
    select ${userRoles.roleId} as id, count(*) as holders from ${userRoles}
    where ${userRoles.roleId} in (${idList(ids)}) group by ${userRoles.roleId}`)
  const holders = new Map(rows.map((row) => [Number(row.id), Number(row.holders)]))
  const index = ids.findIndex((id) => holders.has(id))
  if (index < 0) return
  const id = ids[index] ?? 0
  const count = holders.get(id) === 1 ? '1 user has' : `${holders.get(id)} users have`
  throw fieldError('conflict', field(index), `${count} role ${id}`)
}
