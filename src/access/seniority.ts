import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Queryable, Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { anyOfIds } from '../db/id-list.ts'
import { takeLock } from '../db/locks.ts'
import { declaredAttributes, roleApis, roles, userRoles, users } from '../db/schema.ts'
import { reasons } from './reasons.ts'
import { noteRequired } from './required.ts'
import { stands } from './stands.ts'

/**
 * Ranks of users. The `sort` of a role is its rank; a smaller number is a higher rank. All functions read the database,
 * not the caller's session, so that they are right inside the transaction that makes the change. permits/ decides
 * what a rank allows.
 */

/** The highest rank: it may do everything except remove the last enabled user who has it. */
export const highestRank = 1
/** Lower than any role. */
export const noRank = 1000

/** A signed-in user, with the rank they have at the moment of the change. */
export interface Caller {
  userId: number
  /** Their session: once it has ended nothing is done for them, because the id of the user may then mean another person. */
  sessionId: string
  /** Set for what they have begun and what goes on after their sign-out; a restore ends that too. */
  goesOn?: true
  /** What they call, where a role has to grant it; the path is relative to `/api`. */
  operation?: { method: string; path: string }
}

/**
 * Who makes a change. The operator is the administrator of the host: they set the schedules (in the environment) and
 * run `npm run sync`, and act with the highest rank.
 */
export type Actor = Caller | 'operator'

/** An actor for what they begin now, and what goes on after their sign-out. */
export const goingOn = (actor: Actor): Actor =>
  actor === 'operator' ? actor : { userId: actor.userId, sessionId: actor.sessionId, goesOn: true }

export interface RankedUser {
  id: number
  username: string
  status: number
  /** The smallest sort of the user's roles, including disabled ones: they may be enabled again. */
  rank: number
}

/**
 * Users with their ranks.
 * @param field names the field of an id, by its index in `ids`
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
    where ${users.id} = ${anyOfIds(ids)}
    group by ${users.id}`)
  const found = rows.map((row) => ({ ...row, id: Number(row.id) }))
  return inRequestOrder('user', found, ids, field)
}

/**
 * The actor's rank now: the smallest sort of the enabled roles of an enabled user.
 * @throws AppError (unauthenticated) when the session has ended: read in one statement, so that no restore is between the two
 */
export const rankOf = async (db: Queryable, actor: Actor): Promise<number> => {
  if (actor === 'operator') return highestRank
  const { userId, sessionId, goesOn = false } = actor
  const [row] = await db.execute<{ rank: number; standing: boolean }>(sql`
    select ${rankOfUser(userId)} as rank, ${stands(sql`${sessionId}::uuid`, goesOn)} as standing`)
  if (!row?.standing) throw reasons.session_over()
  return row.rank
}

/** The caller's rank and enabled roles now: those that a request was let in with may have been taken away while it waited. */
export const rolesNow = async (db: Queryable, caller: Caller): Promise<{ rank: number; roleIds: number[] }> => {
  const rank = await rankOf(db, caller)
  const rows = await db.execute<{ own_role: string }>(enabledRolesOf(caller))
  return { rank, roleIds: rows.map((row) => Number(row.own_role)) }
}

/** The rank of a user who acts. @param id or its place */
export const rankOfUser = (id: number | Placeholder): SQL => sql`(
  select coalesce(min(own.sort), ${noRank}::int)
  from users caller join user_roles owned on owned.user_id = caller.id join roles own on own.id = owned.role_id
  where caller.id = (select ${id}::bigint) and caller.status = 1 and own.status = 1)`

/** Whether a user has this rank or a higher one; disabled roles count, because they may be enabled again. */
export const hasAtLeastRank = (rank: number, userId: SQL): SQL =>
  rank >= noRank
    ? sql`true`
    : sql`exists (
        select from ${userRoles} as held join ${roles} as ranked on ranked.id = held.role_id
        where held.user_id = ${userId} and ranked.sort <= ${rank})`

/** Selects the enabled roles of the caller, as `own_role`. */
const enabledRolesOf = ({ userId }: Caller): SQL => sql`
  select ${userRoles.roleId} as own_role from ${userRoles} join ${roles} as enabled on enabled.id = ${userRoles.roleId}
  where ${userRoles.userId} = ${userId} and enabled.status = 1`

/**
 * Whether the caller's enabled roles grant all that the role in the query grants: every operation, and every declared
 * attribute of others that it lets its users see or change. Otherwise the caller could give the role to a user of
 * their own making, and do with it what they may not do themselves.
 */
export const coveredBy = (caller: Caller): SQL => sql`(
  not exists (
    select from ${roleApis} where ${roleApis.roleId} = ${roles.id} and ${roleApis.apiId} not in (
      select own.api_id from ${roleApis} as own where own.role_id in (${enabledRolesOf(caller)})))
  and ${roles.id} not in (${rolesGivenBeyond(caller)}))`

/**
 * Selects the roles that an attribute names in a list which names none of the caller's. It is the same for every role and user
 * in the query, so that the database reads the lists once: 100 attributes may name hundreds of roles each.
 */
const rolesGivenBeyond = (caller: Caller): SQL => sql`
  select given::bigint from ${declaredAttributes}
    cross join lateral (values (${declaredAttributes.seeRoles}), (${declaredAttributes.editRoles})) as lists (named)
    cross join lateral jsonb_array_elements_text(lists.named) as given
  where ${declaredAttributes.removedAt} is null and not exists (
    select from jsonb_array_elements_text(lists.named) as known where known::bigint in (${enabledRolesOf(caller)}))`

/**
 * Callers may not change a user of their own rank or a higher one; the highest rank may change every user.
 * @param rank the caller's
 * @throws AppError (forbidden) naming the first user whose rank is too high
 */
export const requireHigherRank = (
  rank: number,
  targets: readonly RankedUser[],
  field: (index: number) => string,
): void => {
  if (rank === highestRank) return
  const index = targets.findIndex((target) => target.rank <= rank)
  if (index >= 0) throw reasons.user_too_strong.at(field(index))
}

/**
 * For operations that would bypass all other rules: a restore, a copy of everything, what the sources say about people. A change
 * is committed only while it is still so.
 * @throws AppError (forbidden) naming this rule
 */
export const requireHighestRank = async (db: Queryable, actor: Actor): Promise<void> => {
  if ((await rankOf(db, actor)) !== highestRank) {
    throw reasons.strongest_only({ sort: highestRank })
  }
  if (actor !== 'operator') noteRequired(actor, 'the highest rank')
}

/** From here on, until the transaction ends, changes that could remove an administrator wait for each other. */
export const holdAdministrators = (tx: Tx): Promise<void> => takeLock(tx, 'administrators')

/** Whether a user is enabled and an administrator. The only place where SQL defines an administrator. */
export const mayDoEverything = (userId: SQL): SQL => sql`
  exists (
    select from ${userRoles} as held join ${roles} as granted on granted.id = held.role_id
    where held.user_id = ${userId} and granted.status = 1 and granted.sort = ${sql.raw(String(highestRank))})`

/** Selects the ids of the enabled administrators. */
export const enabledAdministrators = sql`
  select ${users.id} as id from ${users} where ${users.status} = 1 and ${mayDoEverything(sql`${users.id}`)}`

/** Whether an enabled administrator is left. */
export const isAdministered = async (tx: Tx): Promise<boolean> => {
  const left = await tx.execute(sql`${enabledAdministrators} limit 1`)
  return left.length > 0
}

/**
 * Checks that an enabled administrator is left. Call it after a change that could have removed one, and before any
 * further lock: from here on such changes wait for each other.
 * @throws AppError (forbidden), so that the change is rolled back
 */
export const requireAdministratorLeft = async (tx: Tx): Promise<void> => {
  await holdAdministrators(tx)
  if (!(await isAdministered(tx))) throw reasons.last_administrator()
}

/** Whether a user is an administrator (or would be, once their roles are enabled). */
export const isAdministrator = (user: RankedUser): boolean => user.rank === highestRank
