import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { anyOfIds } from '../db/id-list.ts'
import { only } from '../db/request-fields.ts'
import { declaredAttributes, roles, userRoles } from '../db/schema.ts'
import { matchingKey } from '../ldap/dn.ts'
import { administratorKeyword, isAdministratorRole } from './administrator-role.ts'
import { importedKeyword } from './principal-query.ts'
import { reasons } from './reasons.ts'
import { type Actor, highestRank, rankOf } from './seniority.ts'

/**
 * The rules for creating, changing and deleting roles. They are checked inside the transaction that makes the change.
 */

export interface LockedRole {
  id: number
  keyword: string
  sort: number
  status: number
}

/**
 * Locks roles for this transaction, in id order: they cannot be changed or given to a user meanwhile.
 * @param field names the field of an id, by its index in `ids`
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
    .where(sql`${roles.id} = ${anyOfIds(ids)}`)
    .orderBy(roles.id)
    .for('update')
  return inRequestOrder('role', rows, ids, field)
}

/** One role, locked for this transaction. */
export const lockRole = async (tx: Tx, id: number, field: string): Promise<LockedRole> => {
  const [role] = await lockRoles(tx, [id], only(field))
  if (role === undefined) throw new Error('A role that was locked is not there')
  return role
}

/**
 * The administrator's role stays enabled, keeps the highest rank and its keyword.
 * @throws AppError (forbidden) naming the field that would change that
 */
export const requireLastingAdministrator = (
  role: LockedRole,
  changes: Partial<Pick<LockedRole, 'keyword' | 'sort' | 'status'>>,
): void => {
  if (!isAdministratorRole(role)) return
  for (const field of ['keyword', 'sort', 'status'] as const) {
    if ((changes[field] ?? role[field]) !== role[field]) {
      throw reasons.administrator_role_fixed.at(field)
    }
  }
}

/**
 * A role that users have cannot be deleted: they would lose its operations unnoticed.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (conflict) naming the first that is held, and by how many users
 */
export const requireUnheld = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const rows = await tx.execute<{ id: string; holders: string }>(sql`
    select ${userRoles.roleId} as id, count(*) as holders from ${userRoles}
    where ${userRoles.roleId} = ${anyOfIds(ids)} group by ${userRoles.roleId}`)
  const holders = new Map(rows.map((row) => [Number(row.id), Number(row.holders)]))
  const index = ids.findIndex((id) => holders.has(id))
  if (index < 0) return
  const id = ids[index] ?? 0
  throw reasons.role_held.at(field(index), { count: holders.get(id) ?? 0, id })
}

/**
 * A role that attributes name cannot be deleted: a list without its last role would open the attribute to everyone, and
 * one with a role that is gone says nothing to its reader. The roles must be locked, so that no attribute
 * names one meanwhile.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (conflict) naming the first that is named, and an attribute that names it
 */
export const requireUnnamed = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  const named = sql`(${declaredAttributes.seeRoles} || ${declaredAttributes.editRoles})`
  const rows = await tx.execute<{ id: string; name: string }>(sql`
    select distinct on (${roles.id}) ${roles.id} as id, ${declaredAttributes.name} as name
    from ${roles} join ${declaredAttributes}
      on ${declaredAttributes.removedAt} is null and ${named} @> to_jsonb(${roles.id})
    where ${roles.id} = ${anyOfIds(ids)} order by ${roles.id}, lower(${declaredAttributes.name})`)
  const attributes = new Map(rows.map(({ id, name }) => [Number(id), name]))
  const index = ids.findIndex((id) => attributes.has(id))
  if (index < 0) return
  const id = ids[index] ?? 0
  throw reasons.role_named.at(field(index), { id, name: attributes.get(id) ?? '' })
}

/** Keywords of the roles that the first start creates: imports grant `user`, and `admin` is the administrator's. */
const reserved: readonly string[] = [administratorKeyword, importedKeyword, 'guest']

/** In any spelling: a reader of the list of roles could not tell `ＡＤＭＩＮ` from the reserved keyword. */
const isReserved = (keyword: string): boolean => reserved.includes(matchingKey(keyword))

/**
 * The roles of the first start keep their keywords, and no other role can take one: the service finds them by keyword.
 * @throws AppError (forbidden) naming `keyword`
 */
export const requireLastingKeyword = (role: LockedRole, keyword: string | undefined): void => {
  if (keyword === undefined || keyword === role.keyword) return
  if (reserved.includes(role.keyword)) {
    throw reasons.keyword_fixed.at('keyword', { keyword: role.keyword })
  }
  if (isReserved(keyword)) throw reservedKeyword(keyword)
}

/**
 * A role of the first start that was deleted can be created again by the highest rank only.
 * @throws AppError (forbidden) naming `keyword`
 */
export const requireUnreserved = async (tx: Tx, actor: Actor, keyword: string): Promise<void> => {
  if (isReserved(keyword) && (await rankOf(tx, actor)) !== highestRank) throw reservedKeyword(keyword)
}

const reservedKeyword = (keyword: string) => reasons.keyword_reserved.at('keyword', { keyword })
