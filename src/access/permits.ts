// The room access.
// What a caller may do: roles, menus, API entries, seniority, and the permits that every change of a person needs.
// It knows the caller by a token that the room auth verifies; it never proves a password or a second factor.

import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { idList } from '../db/id-list.ts'
import { reasons as missing } from '../db/reasons.ts'
import { only } from '../db/request-fields.ts'
import { groupMembers, groups, roles, userRoles, users } from '../db/schema.ts'
import type { Stated } from '../errors.ts'
import { mailKey, mailKeyOf } from '../text/identity-keys.ts'
import { importedKeyword } from './principal-query.ts'
import { reasons } from './reasons.ts'
import {
  type Actor,
  type Caller,
  coveredBy,
  enabledAdministrators,
  foundUsers,
  hasAtLeastRank,
  highestRank,
  holdAdministrators,
  isAdministrator,
  type RankedUser,
  rankedUsers,
  rankOf,
  requireHigherRank,
} from './seniority.ts'

/**
 * The one way to change people. Every change of a person, or of what they belong to, needs a permit. Permits are issued
 * only here, after the rules of seniority were checked with the actor's rank in this transaction. A function that
 * writes `users`, `user_roles`, `group_members`, `groups` or `roles`, or a password, or that ends a user's sessions or
 * removes their second factor, takes a permit instead of a transaction (see rows.ts, user-writes.ts, group-writes.ts
 * and sync/apply-*.ts).
 */

/** Not exported: no other file can make a value that has it. */
const issued: unique symbol = Symbol('issued')

export interface AnyPermit {
  readonly [issued]: true
  readonly tx: Tx
}

/** Allows changes of these records of one kind. */
export interface Permit<Kind extends string> extends AnyPermit {
  readonly kind: Kind
  readonly ids: ReadonlySet<number>
}

/** Allows the creation of a record without any members. */
export interface NewPermit<Kind extends string> extends AnyPermit {
  readonly creates: Kind
}

/** Allows changes of users. */
export interface UsersPermit extends Permit<'user'> {
  readonly users: readonly RankedUser[]
  /** Whether one of them is an administrator: another administrator must then be left. */
  readonly administrators: boolean
}

/** Allows users to change how they prove themselves: their own password, their own sessions. */
export type OwnPermit = Permit<'own'>

/** Allows users to join and leave groups. */
export type MembersPermit = Permit<'member'>

/** Allows a user to be given these roles. */
export interface RolesOfUserPermit extends AnyPermit {
  /** null: a user who is being created. */
  readonly userId: number | null
  readonly roleIds: readonly number[]
  /** Whether one of them that the user does not have yet makes them an administrator. */
  readonly makesAdministrator: boolean
}

/** Allows a run to carry out the rest of its plan. */
export interface RunPermit extends AnyPermit {
  readonly run: 'users' | 'groups'
}

/** The type says what a permit allows beyond its ids. */
const permitOf = <Kind extends string>(tx: Tx, kind: Kind, ids: readonly number[]): Permit<Kind> => ({
  [issued]: true,
  tx,
  kind,
  ids: new Set(ids),
})

/**
 * Refuses a write to a record that the permit does not include.
 * @throws Error: that is a defect of the program
 */
export const requirePermitted = ({ kind, ids }: Permit<string>, wanted: readonly number[]): void => {
  const alien = wanted.find((id) => !ids.has(id))
  if (alien !== undefined) throw new Error(`The permit is not for ${kind} ${alien}`)
}

// ---- users ----

/**
 * Locks users for this transaction, in id order, so that two changes of the same people wait for each other. Meanwhile
 * the rank of their roles cannot change.
 * @param roleIds further roles, locked together with theirs: locked later they would be out of order
 */
const lockUsers = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
  roleIds: readonly number[] = [],
): Promise<RankedUser[]> => {
  await lockThem(tx, ids, roleIds)
  // A statement of its own: it sees the changes of the transactions it waited for.
  return rankedUsers(tx, ids, field)
}

const lockThem = async (tx: Tx, ids: readonly number[], roleIds: readonly number[]): Promise<void> => {
  // Not `for update`: a transaction that holds a group and makes one of them a member (a foreign key) must not wait for
  // this one, which may be about to wait for that group.
  await tx.execute(
    sql`select from ${users} where ${users.id} in (${idList(ids)}) order by ${users.id} for no key update`,
  )
  await lockRolesOf(tx, idList(ids), idList(roleIds))
}

/** Locks the roles of users, and these others, in id order. */
const lockRolesOf = async (tx: Tx, userIds: SQL, others: SQL): Promise<void> => {
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
  const locked = await lockUsers(tx, ids, field, roleIds)
  await requireHigherRank(tx, actor, locked, field)
  return { ...permitOf(tx, 'user', ids), users: locked, administrators: locked.some(isAdministrator) }
}

/** As `permitUsers`, for the user in the request's field `id`. */
export const permitUser = async (
  tx: Tx,
  actor: Actor,
  id: number,
  roleIds: readonly number[] = [],
): Promise<UsersPermit & { readonly user: RankedUser }> => {
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
  await lockThem(tx, ids, roleIds)
  const found = await foundUsers(tx, ids)
  const rank = await rankOf(tx, actor)
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

/** Allows a start to create the first administrator and the roles. */
export interface StartPermit extends AnyPermit {
  readonly start: true
}

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
    from ${roles} where ${roles.id} in (${idList(roleIds)}) order by ${roles.id} for share of ${roles}`)
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
const rolesBeyond = (caller: Caller, userId: SQL): SQL => sql`
  select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
  where ${userRoles.userId} = ${userId} and not ${coveredBy(caller)}`

/**
 * A caller who sets a user's mail address can have a code sent to it and sign in as that user. So the caller must have
 * every operation that the user has.
 * @throws AppError (forbidden) naming `mail`
 */
export const requireMayReaddress = async (
  { tx }: UsersPermit,
  actor: Caller,
  target: RankedUser,
  mail: string | undefined,
): Promise<void> => {
  if (!mail || (await rankOf(tx, actor)) === highestRank) return
  const beyond = await tx.execute(sql`
    select from ${users}
    where ${users.id} = ${target.id} and ${mailKeyOf(users.mail)} <> ${mailKey(mail)}
      and exists (${rolesBeyond(actor, sql`${users.id}`)})`)
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

// ---- groups ----

/** A permit to create a group: it has no members yet. */
export const permitNewGroup = (tx: Tx): NewPermit<'group'> => ({ [issued]: true, tx, creates: 'group' })

/**
 * Whom a change of a group affects: no users, its members, or also those of the groups below (their DNs contain its
 * name).
 */
export type Reach = 'no users' | 'members' | 'subtree'

/**
 * Selects `root` for each group that reaches a user of this rank or a higher one; `groups` has the columns `id` and
 * `below`.
 */
const reachingRank = (rank: number, selection: SQL): SQL => sql`
  with recursive reach as (
    select s.id as root, s.id, s.below from (${selection}) s
    union
    select r.root, g.id, true from ${groups} g join reach r on r.below and g.parent_id = r.id
  )
  select distinct r.root from reach r join ${groupMembers} m on m.group_id = r.id
  where ${hasAtLeastRank(rank, sql`m.user_id`)}`

/**
 * A permit to change groups, or to delete them. The groups must be locked, so that no user joins meanwhile.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (forbidden) naming the first group with a member of too high a rank
 */
export const permitGroups = async (
  tx: Tx,
  actor: Actor,
  { ids, reach, field }: { ids: readonly number[]; reach: Reach; field: (index: number) => string },
): Promise<Permit<'group'>> => {
  const rank = await rankOf(tx, actor)
  if (rank !== highestRank && reach !== 'no users') {
    const selection = sql`select id, ${reach === 'subtree'} as below from (${idList(ids)}) listed`
    const rows = await tx.execute<{ root: string }>(reachingRank(rank, selection))
    const refused = new Set(rows.map(({ root }) => Number(root)))
    const index = ids.findIndex((id) => refused.has(id))
    if (index >= 0) {
      const refusal = reach === 'subtree' ? reasons.subtree_users_too_strong : reasons.group_users_too_strong
      throw refusal.at(field(index))
    }
  }
  return permitOf(tx, 'group', ids)
}

/**
 * A permit to make users join or leave groups: applications decide by groups what a user may do.
 * @throws AppError (not_found, forbidden) naming the first that does not exist or has too high a rank
 */
export const permitMembers = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<MembersPermit> => {
  await requireExisting(tx, 'user', ids, field)
  await requireHigherRank(tx, actor, await rankedUsers(tx, ids, field), field)
  return permitOf(tx, 'member', ids)
}

// ---- roles ----

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
      where h.role_id in (${idList(ids)}) and h.user_id <> ${actor.userId} and ${hasAtLeastRank(rank, sql`h.user_id`)}`)
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

// ---- runs ----

/** The rank with which a run changes people. */
export interface Authority {
  /** The actor who started it, or confirmed its plan. */
  actor: Actor
  /** Whether a person looked at the plan and confirmed it, after a second factor. */
  confirmed: boolean
}

/**
 * Why a run may not change a record. `rank`: it concerns a user whose rank is too high for the actor;
 * `administrator`: it concerns an administrator, and no person has confirmed it; `mail`: with the new address the actor
 * could sign in with operations that they do not have; `last`: no enabled administrator would be left.
 */
export interface Refused {
  id: number
  why: 'rank' | 'administrator' | 'mail' | 'last'
}

/**
 * Whom the authority may not change: people of its own rank or a higher one. Where an administrator of sort 1 has
 * confirmed the plan, all may be changed. Without a confirmation a schedule changes no administrator of sort 1, and a run
 * that one of them started disables none.
 */
const rankTooHigh = (rank: number, { actor, confirmed }: Authority, userId: SQL, disables: SQL): SQL => {
  if (rank !== highestRank) return hasAtLeastRank(rank, userId)
  if (confirmed) return sql`false`
  return actor === 'operator'
    ? hasAtLeastRank(highestRank, userId)
    : sql`(${disables} and ${hasAtLeastRank(highestRank, userId)})`
}

const rankRefusal = (rank: number): Refused['why'] => (rank === highestRank ? 'administrator' : 'rank')

/**
 * Names the users that a run may not change, and allows it to change the others. The users must be locked.
 * @param people selects the users: `id`, `mail` (the new address; null: it stays), `disables`
 */
export const permitRunOnUsers = async (
  tx: Tx,
  authority: Authority,
  people: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const { actor } = authority
  // The role that a run gives to new users is locked with the others.
  await lockRolesOf(
    tx,
    sql`select id from (${people}) p`,
    sql`select ${roles.id} from ${roles} where ${roles.keyword} = ${importedKeyword}`,
  )
  const rank = await rankOf(tx, actor)
  const beyond =
    actor === 'operator' || rank === highestRank
      ? sql`false`
      : sql`(p.mail is not null and exists (${rolesBeyond(actor, sql`p.id`)}))`
  const rows = await tx.execute<{ id: string; why: Refused['why'] }>(sql`
    select id, why from (
      select p.id, case when ${rankTooHigh(rank, authority, sql`p.id`, sql`p.disables`)} then ${rankRefusal(rank)}
        when ${beyond} then 'mail' end as why
      from (${people}) p
    ) judged where why is not null`)
  const refused: Refused[] = rows.map(({ id, why }) => ({ id: Number(id), why }))
  const last = await lastAdministrators(
    tx,
    people,
    refused.map(({ id }) => id),
  )
  return {
    permit: { [issued]: true, tx, run: 'users' },
    refused: [...refused, ...last.map((id): Refused => ({ id, why: 'last' }))],
  }
}

/** The users that a run would disable, if they are all administrators there are. */
const lastAdministrators = async (tx: Tx, people: SQL, refused: readonly number[]): Promise<number[]> => {
  const leaving = sql`
    select p.id from (${people}) p
    where p.disables and p.id not in (${idList(refused)}) and p.id in (${enabledAdministrators})`
  const any = await tx.execute(sql`${leaving} limit 1`)
  if (any.length === 0) return []
  await holdAdministrators(tx)
  const rows = await tx.execute<{ id: string }>(sql`
    with leaving as (${leaving})
    select id from leaving where not exists (
      select from (${enabledAdministrators}) a where a.id not in (select id from leaving))`)
  return rows.map(({ id }) => Number(id))
}

/**
 * Names the groups that a run may not change, and allows it to change the others. The groups must be locked.
 * @param selection selects the groups: `id`, and `below` where the change reaches the groups below too
 */
export const permitRunOnGroups = async (
  tx: Tx,
  { actor, confirmed }: Authority,
  selection: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const permit: RunPermit = { [issued]: true, tx, run: 'groups' }
  const rank = await rankOf(tx, actor)
  if (rank === highestRank && (confirmed || actor !== 'operator')) return { permit, refused: [] }
  const rows = await tx.execute<{ root: string }>(reachingRank(rank, selection))
  return { permit, refused: rows.map(({ root }) => ({ id: Number(root), why: rankRefusal(rank) })) }
}
