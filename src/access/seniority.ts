import { type SQL, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { idList } from '../db/id-list.ts'
import { takeLock } from '../db/locks.ts'
import { roleApis, roles, userRoles, users } from '../db/schema.ts'
import { reasons } from './reasons.ts'

/**
 * How strong a user is. The `sort` of a role is its rank; a smaller one is stronger. All of this reads the database, not
 * the caller's session: it holds inside the transaction that makes the change. What follows from it for a change is
 * decided in permits.ts.
 */

/** The rank that may do everything except remove the last enabled user who has it. */
export const strongest = 1
/** Weaker than any role. */
const noRank = 1000

/** A signed-in user, with the rank they have at the moment of the change. */
export interface Caller {
  userId: number
}

/**
 * Who makes a change. The operator is whoever has the host: they set the schedules (in the environment) and start
 * `npm run sync`, and act with the strongest rank.
 */
export type Actor = Caller | 'operator'

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

/** The actor's rank as it is now: the smallest sort of the enabled roles of a user who is enabled. */
export const rankOf = async (db: Queryable, actor: Actor): Promise<number> => {
  if (actor === 'operator') return strongest
  const [row] = await db.execute<{ rank: number }>(sql`
    select coalesce(min(${roles.sort}), ${noRank}) as rank
    from ${users}
    join ${userRoles} on ${userRoles.userId} = ${users.id}
    join ${roles} on ${roles.id} = ${userRoles.roleId}
    where ${users.id} = ${actor.userId} and ${users.status} = 1 and ${roles.status} = 1`)
  return row?.rank ?? noRank
}

/** Whether a user is as strong as this rank or stronger; disabled roles count, because they may be enabled again. */
export const asStrongAs = (rank: number, userId: SQL): SQL =>
  rank >= noRank
    ? sql`true`
    : sql`exists (
        select from ${userRoles} as held join ${roles} as ranked on ranked.id = held.role_id
        where held.user_id = ${userId} and ranked.sort <= ${rank})`

/** Whether the caller's enabled roles hold every operation that the role at hand grants. */
export const coveredBy = ({ userId }: Caller): SQL => sql`
  not exists (
    select from ${roleApis} where ${roleApis.roleId} = ${roles.id} and ${roleApis.apiId} not in (
      select own.api_id from ${roleApis} as own
      join ${userRoles} as owned on owned.role_id = own.role_id and owned.user_id = ${userId}
      join ${roles} as enabled on enabled.id = own.role_id and enabled.status = 1))`

/**
 * Nobody may touch a user as strong as themselves; the strongest may touch every user.
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
  if (index >= 0) throw reasons.user_too_strong.at(field(index))
}

/**
 * For what would get around all other rules: a restore, a copy of everything, what the sources say about people.
 * @throws AppError (forbidden) saying so
 */
export const requireStrongest = async (db: Queryable, actor: Actor): Promise<void> => {
  if ((await rankOf(db, actor)) !== strongest) {
    throw reasons.strongest_only({ sort: strongest })
  }
}

/** From here on, until the transaction ends, changes that take an administrator away wait for each other. */
export const holdAdministrators = (tx: Tx): Promise<void> => takeLock(tx, 'administrators')

/** Whether a user who is enabled may do everything. The one place where SQL says who is an administrator. */
export const mayDoEverything = (userId: SQL): SQL => sql`
  exists (
    select from ${userRoles} as held join ${roles} as granted on granted.id = held.role_id
    where held.user_id = ${userId} and granted.status = 1 and granted.sort = ${sql.raw(String(strongest))})`

/** Selects the ids of the enabled users who may do everything. */
export const enabledAdministrators = sql`
  select ${users.id} as id from ${users} where ${users.status} = 1 and ${mayDoEverything(sql`${users.id}`)}`

/** Whether an enabled user is left who may do everything. */
export const isAdministered = async (tx: Tx): Promise<boolean> => {
  const left = await tx.execute(sql`${enabledAdministrators} limit 1`)
  return left.length > 0
}

/**
 * An enabled user must be left who may do everything. Call it after a change that took this away from anybody, and
 * before touching anything more: from here on such changes wait for each other.
 * @throws AppError (forbidden), so that the change is rolled back
 */
export const requireAdministratorLeft = async (tx: Tx): Promise<void> => {
  await holdAdministrators(tx)
  if (!(await isAdministered(tx))) throw reasons.last_administrator()
}

/** Whether a user may do everything (or might, once their roles are enabled). */
export const isAdministrator = (user: RankedUser): boolean => user.rank === strongest
