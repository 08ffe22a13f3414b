import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { inRequestOrder } from '../../db/existing.ts'
import { anyOfIds } from '../../db/id-list.ts'
import { reasons as missing } from '../../db/reasons.ts'
import { only } from '../../db/request-fields.ts'
import { roles, userRoles, users } from '../../db/schema.ts'
import type { Stated } from '../../failures/errors.ts'
import type { Reason } from '../../failures/reason-table.ts'
import { mailKey } from '../../text/identity-keys.ts'
import { reasons } from '../reasons.ts'
import {
  type Actor,
  type Caller,
  coveredBy,
  highestRank,
  isAdministrator,
  type RankedUser,
  rankOf,
  requireHigherRank,
} from '../seniority.ts'
import { issued, permitOf } from './issue.ts'
import { lockUsers } from './locked-users.ts'
import {
  type LockedUser,
  type NewPermit,
  type OwnPermit,
  type RolesOfUserPermit,
  requirePermitted,
  type StartPermit,
  type UsersPermit,
} from './permit.ts'

/** Locks the roles of users, and these others, in id order. */
export const lockRolesOf = async (tx: Tx, userIds: SQL, others: SQL): Promise<void> => {
  await tx.execute(sql`
    select from ${roles}
    where ${roles.id} in (select role_id from user_roles where user_id in (${userIds}) union ${others})
    order by ${roles.id} for share`)
}

/**
 * A permit to change users, to delete them, to end their sessions, to remove their second factor.
 * @param field names the field of an id, by its index in `ids`
 * @param roleIds roles that they will be given by a permit of `permitRolesOf`
 * @throws AppError (not_found, forbidden) naming the first that does not exist or has too high a rank
 */
export const permitUsers = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  field: (index: number) => string,
  roleIds: readonly number[] = [],
): Promise<UsersPermit> => {
  const { found, rank } = await lockUsers(tx, actor, { ids, prevents: 'change', roleIds })
  const locked = inRequestOrder('user', found, ids, field)
  requireHigherRank(rank, locked, field)
  return { ...permitOf(tx, 'user', ids), users: locked, administrators: locked.some(isAdministrator) }
}

/** As `permitUsers`, for the user in the request's field `id`. */
export const permitUser = async (
  tx: Tx,
  actor: Actor,
  id: number,
  roleIds: readonly number[] = [],
): Promise<UsersPermit & { readonly user: LockedUser }> => {
  const permit = await permitUsers(tx, actor, [id], only('id'), roleIds)
  const [user] = permit.users
  if (user === undefined) throw new Error('A user that was locked is not there')
  return { ...permit, user }
}

/** Why some of many users may not be changed, by their ids. */
export type RefusedUsers = Map<number, Stated>

/**
 * As `permitUsers`, for a change of many in which one refusal does not stop the others: a permit for those who may be
 * changed, and why the rest may not.
 */
export const permitAdmitted = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  roleIds: readonly number[] = [],
): Promise<{ permit: UsersPermit; refused: RefusedUsers }> => {
  const { found, rank } = await lockUsers(tx, actor, { ids, prevents: 'change', roleIds })
  const admitted = found.filter((user) => rank === highestRank || user.rank > rank)
  const existing = new Set(found.map(({ id }) => id))
  const refused: RefusedUsers = new Map(
    found.filter((user) => !admitted.includes(user)).map(({ id }) => [id, reasons.user_too_strong.problem('ids')]),
  )
  for (const id of ids) if (!existing.has(id)) refused.set(id, missing.user_not_found.problem('ids', { id }))
  const permit = permitOf(
    tx,
    'user',
    admitted.map(({ id }) => id),
  )
  return { permit: { ...permit, users: admitted, administrators: admitted.some(isAdministrator) }, refused }
}

/** A permit for some of the users of a permit. */
export const permitFewer = (permit: UsersPermit, ids: readonly number[]): UsersPermit => {
  requirePermitted(permit, ids)
  const fewer = permitOf(permit.tx, 'user', ids)
  const users = permit.users.filter(({ id }) => fewer.ids.has(id))
  return { ...fewer, users, administrators: users.some(isAdministrator) }
}

/** A permit to create a user. `permitRolesOf` decides which roles they get. */
export const permitNewUser = (tx: Tx): NewPermit<'user'> => ({ [issued]: true, tx, creates: 'user' })

/** For the data of the user who has just been created. */
export const permitMade = ({ tx }: NewPermit<'user'>, id: number): UsersPermit => ({
  ...permitOf(tx, 'user', [id]),
  users: [],
  administrators: false,
})

/**
 * How a user proved that the password or the sessions they change are their own; `the directory`: it accepted the
 * change of the password (see adopted-passwords.ts).
 */
export type OwnProof = 'a session' | 'a mailed code' | 'a password' | 'the directory'

/** Every user may change their own password and end their own sessions. */
export const permitOwn = (tx: Tx, userId: number, _proof: OwnProof): OwnPermit => permitOf(tx, 'own', [userId])

/** A start changes no existing user: it adds roles that no user has, and a user only where there are no users. */
export const permitStart = (tx: Tx): StartPermit => ({ [issued]: true, tx, start: true })

/**
 * A permit to give a user roles. Callers may not give the rank that they have themselves, nor operations that they do
 * not have: a role can be granted when its rank is lower than the caller's, and the caller's own roles grant every
 * operation that it grants. Roles the user has already are not checked.
 * @param userId the user they are for; null: one who is being created
 * @throws AppError (not_found, forbidden) naming the first role that does not exist or cannot be granted
 */
export const permitRolesOf = async (
  tx: Tx,
  actor: Caller,
  roleIds: readonly number[],
  userId: number | null,
): Promise<RolesOfUserPermit> => {
  const permit: RolesOfUserPermit = { [issued]: true, tx, userId, roleIds, makesAdministrator: false }
  if (roleIds.length === 0) return permit
  const rank = await rankOf(tx, actor)
  // Shared: until this transaction ends the rank of these roles cannot change.
  const found = await tx.execute<{ id: string; sort: number; had: boolean; covered: boolean }>(sql`
    select ${roles.id}, ${roles.sort},
      exists (select from ${userRoles} where ${userRoles.roleId} = ${roles.id} and ${userRoles.userId} = ${userId}) as had,
      ${coveredBy(actor)} as covered
    from ${roles} where ${roles.id} = ${anyOfIds(roleIds)} order by ${roles.id} for share of ${roles}`)
  const byId = new Map(found.map((role) => [Number(role.id), role]))
  roleIds.forEach((id, index) => {
    const role = byId.get(id)
    if (role === undefined) throw missing.role_not_found.at(`roleIds.${index}`, { id })
    if (role.had || rank === highestRank) return
    if (role.sort <= rank) {
      throw reasons.granted_role_too_strong.at(`roleIds.${index}`, { id })
    }
    if (!role.covered) {
      throw reasons.granted_role_beyond.at(`roleIds.${index}`, { id })
    }
  })
  return { ...permit, makesAdministrator: found.some(({ sort, had }) => sort === highestRank && !had) }
}

/** Selects the roles of a user that grant operations which this caller does not have. */
export const rolesBeyond = (caller: Caller, userId: SQL): SQL => sql`
  select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
  where ${userRoles.userId} = ${userId} and not ${coveredBy(caller)}`

/**
 * A caller who sees a user's new password, or decides where a link leads that sets one, can sign in as that user. So the
 * caller must have every operation that the user has.
 * @returns why this is refused for some users of the permit, by their ids
 */
export const signInRefusals = async (
  { tx, users: ranked }: UsersPermit,
  actor: Caller,
  by: 'password' | 'link',
): Promise<Map<number, Reason>> => {
  if ((await rankOf(tx, actor)) === highestRank) return new Map()
  const beyond = await tx.execute<{ id: string }>(sql`
    select ${users.id} from ${users}
    where ${users.id} = ${anyOfIds(ranked.map(({ id }) => id))} and exists (${rolesBeyond(actor, sql`${users.id}`)})`)
  return new Map(beyond.map(({ id }) => [Number(id), reasons[`${by}_signs_in`]]))
}

/** Whether this text would change or remove the user's mail address. */
export const isOtherMail = (target: LockedUser, mail: string | undefined): boolean =>
  mail !== undefined && mailKey(mail) !== target.mailKey

/**
 * A caller who sets a user's mail address can have a code sent to it and sign in as that user. So the caller must have
 * every operation that the user has.
 * @throws AppError (forbidden) naming `mail`
 */
export const requireMayReaddress = async (
  { tx }: UsersPermit,
  actor: Caller,
  target: LockedUser,
  mail: string | undefined,
): Promise<void> => {
  if (!mail || !isOtherMail(target, mail) || (await rankOf(tx, actor)) === highestRank) return
  const beyond = await tx.execute(sql`
    select from ${users} where ${users.id} = ${target.id} and exists (${rolesBeyond(actor, sql`${users.id}`)})`)
  if (beyond.length > 0) {
    throw reasons.mail_signs_in.at('mail')
  }
}

/**
 * The source of a person who was taken over decides whether they are disabled when they leave it: only the highest rank
 * may take them out of it.
 * @throws AppError (forbidden) naming `source`
 */
export const requireMayChangeSource = async (
  { tx }: UsersPermit,
  actor: Caller,
  target: RankedUser,
  source: string | undefined,
): Promise<void> => {
  if (source === undefined || (await rankOf(tx, actor)) === highestRank) return
  const taken = await tx.execute(sql`
    select from ${users}
    where ${users.id} = ${target.id} and ${users.sourceUserId} <> '' and ${users.source} <> ${source}`)
  if (taken.length > 0) {
    throw reasons.source_fixed.at('source')
  }
}
