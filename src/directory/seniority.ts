import { type SQL, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { roleApis, roles, userRoles, users } from '../db/schema.ts'
import { AppError, fieldError } from '../errors.ts'
import { idList } from '../ldap/touch.ts'
import { inRequestOrder } from './existing.ts'
import { only } from './request-fields.ts'

/**
 * Who may do what to whom. The `sort` of a role is its rank; a smaller one is stronger. All of this reads the
 * database, not the caller's session: it holds inside the transaction that makes the change.
 */

/** The rank that may do everything but leave nobody of its kind. */
export const strongest = 1
/** Weaker than any role. */
const noRank = 1000

export interface Actor {
  userId: number
}

export interface RankedUser {
  id: number
  username: string
  status: number
  /** The smallest sort of the user's roles, disabled ones too: they may be enabled again. */
  rank: number
}

/**
 * Users and how strong they are.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const rankedUsers = async (
  db: Queryable,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<RankedUser[]> => {
  const rows = await db.execute<{ id: string; username: string; status: number; rank: number }>(sql`
    select ${users.id}, ${users.username}, ${users.status}, coalesce(min(${roles.sort}), ${noRank}) as rank
    from ${users}
    left join ${userRoles} on ${userRoles.userId} = ${users.id}
    left join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${users.id} in (${idList(ids)})
    group by ${users.id}`)
  const found = rows.map((row) => ({ ...row, id: Number(row.id) }))
  return inRequestOrder('user', found, ids, field)
}

/**
 * Takes users for this transaction, in id order, so that two changes of the same people wait for each other.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const lockUsers = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<RankedUser[]> => {
  await tx.execute(sql`select from ${users} where ${users.id} in (${idList(ids)}) order by ${users.id} for update`)
  // A statement of its own: it sees what those it waited for have left.
  return rankedUsers(tx, ids, field)
}

/** One user taken for this transaction; the request named it as `id`. */
export const lockUser = async (tx: Tx, id: number): Promise<RankedUser> => {
  const [user] = await lockUsers(tx, [id], only('id'))
  if (user === undefined) throw new Error('A user that was locked is not there')
  return user
}

/** The rank of the caller as it is now: the smallest sort of the enabled roles. */
export const rankOf = async (db: Queryable, { userId }: Actor): Promise<number> => {
  const [row] = await db.execute<{ rank: number }>(sql`
    select coalesce(min(${roles.sort}), ${noRank}) as rank
    from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${userRoles.userId} = ${userId} and ${roles.status} = 1`)
  return row?.rank ?? noRank
}

/**
 * Nobody may touch somebody as strong as himself; the strongest may touch everybody.
 * @throws AppError (forbidden) naming the first user who is too strong
 */
export const requireStronger = async (
  db: Queryable,
  actor: Actor,
  targets: readonly RankedUser[],
  field: (index: number) => string,
): Promise<void> => {
  const rank = await rankOf(db, actor)
  if (rank === strongest) return
  const index = targets.findIndex((target) => target.rank <= rank)
  if (index >= 0) throw fieldError('forbidden', field(index), 'this user is as strong as you or stronger')
}

/** Whether the caller's enabled roles hold every operation that the role at hand grants. */
export const coveredBy = ({ userId }: Actor): SQL => sql`
  not exists (
    select from ${roleApis} where ${roleApis.roleId} = ${roles.id} and ${roleApis.apiId} not in (
      select own.api_id from ${roleApis} as own
      join ${userRoles} on ${userRoles.roleId} = own.role_id and ${userRoles.userId} = ${userId}
      join ${roles} as enabled on enabled.id = own.role_id and enabled.status = 1))`

/**
 * Nobody may make somebody as strong as himself, nor give away what is not his: a role can be granted when it is
 * weaker than the caller and the caller's own roles hold every operation it grants. Roles the user has already are
 * not granted anew.
 * @param userId the user they are for; null: one that is being made
 * @throws AppError (not_found, forbidden) naming the first role that does not exist or cannot be granted
 */
export const requireGrantable = async (
  tx: Tx,
  actor: Actor,
  roleIds: readonly number[],
  userId: number | null,
): Promise<void> => {
  if (roleIds.length === 0) return
  const rank = await rankOf(tx, actor)
  // Shared: until this transaction ends nobody makes one of these roles stronger.
  const found = await tx.execute<{ id: string; sort: number; had: boolean; covered: boolean }>(sql`
    select ${roles.id}, ${roles.sort},
      exists (select from ${userRoles} where ${userRoles.roleId} = ${roles.id} and ${userRoles.userId} = ${userId}) as had,
      ${coveredBy(actor)} as covered
    from ${roles} where ${roles.id} in (${idList(roleIds)}) order by ${roles.id} for share of ${roles}`)
  const byId = new Map(found.map((role) => [Number(role.id), role]))
  roleIds.forEach((id, index) => {
    const role = byId.get(id)
    if (role === undefined) throw fieldError('not_found', `roleIds.${index}`, `there is no role ${id}`)
    if (role.had || rank === strongest) return
    if (role.sort <= rank) {
      throw fieldError('forbidden', `roleIds.${index}`, `role ${id} is as strong as your own or stronger`)
    }
    if (!role.covered) {
      throw fieldError('forbidden', `roleIds.${index}`, `role ${id} grants operations that you do not hold`)
    }
  })
}

/**
 * Whoever chooses somebody's mail address can have a code sent to it and sign in as him. So only those may change it
 * who hold every operation that person holds.
 * @throws AppError (forbidden) naming `mail`
 */
export const requireMayReaddress = async (
  tx: Tx,
  actor: Actor,
  target: RankedUser,
  mail: string | undefined,
): Promise<void> => {
  if (!mail || (await rankOf(tx, actor)) === strongest) return
  const beyond = await tx.execute(sql`
    select from ${users}
    join ${userRoles} on ${userRoles.userId} = ${users.id}
    join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${users.id} = ${target.id} and lower(${users.mail}) <> lower(${mail}) and not ${coveredBy(actor)} limit 1`)
  if (beyond.length > 0) {
    throw fieldError(
      'forbidden',
      'mail',
      'this user holds operations that you do not hold, and a code sent there signs in',
    )
  }
}

/** Any number will do, as long as no other advisory lock has it. */
const administratorsLock = 7_265_201_911

/**
 * Somebody enabled must be left who may do everything. Call it after a change that took this away from anybody, and
 * before touching anything more: from here on such changes wait for each other.
 * @throws AppError (forbidden), so that the change is rolled back
 */
export const requireAdministratorLeft = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(${administratorsLock}::bigint)`)
  const left = await tx.execute(sql`
    select from ${users}
    join ${userRoles} on ${userRoles.userId} = ${users.id}
    join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${users.status} = 1 and ${roles.status} = 1 and ${roles.sort} = ${strongest} limit 1`)
  if (left.length === 0) throw new AppError('forbidden', 'The last enabled administrator must stay')
}

/** Whether a user may do everything (or might, once his roles are enabled). */
export const isAdministrator = (user: RankedUser): boolean => user.rank === strongest
