// The room access.
// Who may do what: roles, menus, API entries, seniority, and the permits without which nobody is changed.
// It never proves who the caller is: that is the room auth.

import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { idList } from '../db/id-list.ts'
import { reasons as missing } from '../db/reasons.ts'
import { only } from '../db/request-fields.ts'
import { groupMembers, groups, roles, userRoles, users } from '../db/schema.ts'
import { mailKey, mailKeyOf } from '../text/identity-keys.ts'
import { importedKeyword } from './principal-query.ts'
import { reasons } from './reasons.ts'
import {
  type Actor,
  asStrongAs,
  type Caller,
  coveredBy,
  enabledAdministrators,
  holdAdministrators,
  isAdministrator,
  type RankedUser,
  rankedUsers,
  rankOf,
  requireStronger,
  strongest,
} from './seniority.ts'

/**
 * The one door to people. Whatever changes a person, or what they belong to, needs a permit, and permits are issued here
 * and nowhere else, after the rules of seniority were held against the actor's rank as it is in this transaction. What
 * writes `users`, `user_roles`, `group_members`, `groups` or `roles`, a password, or ends somebody's sessions or second
 * factor takes a permit instead of a transaction (see rows.ts, user-writes.ts, group-writes.ts and sync/apply-*.ts).
 */

/** Not exported: nobody else can make a value that has it. */
const issued: unique symbol = Symbol('issued')

export interface AnyPermit {
  readonly [issued]: true
  readonly tx: Tx
}

/** Lets records of one kind be changed: these and no others. */
export interface Permit<Kind extends string> extends AnyPermit {
  readonly kind: Kind
  readonly ids: ReadonlySet<number>
}

/** Lets a record be made that nobody belongs to yet. */
export interface NewPermit<Kind extends string> extends AnyPermit {
  readonly creates: Kind
}

/** Lets users be changed. */
export interface UsersPermit extends Permit<'user'> {
  readonly users: readonly RankedUser[]
  /** Whether one of them may do everything: somebody else who may has to be left. */
  readonly administrators: boolean
}

/** Lets users prove themselves in another way: their own password, their own sessions. */
export type OwnPermit = Permit<'own'>

/** Lets users join and leave groups. */
export type MembersPermit = Permit<'member'>

/** Lets a user be given these roles. */
export interface RolesOfUserPermit extends AnyPermit {
  /** null: a user who is being made. */
  readonly userId: number | null
  readonly roleIds: readonly number[]
  /** Whether one of them, which the user has not yet, lets its holders do everything. */
  readonly makesAdministrator: boolean
}

/** Lets a run carry out what is left of its plan. */
export interface RunPermit extends AnyPermit {
  readonly run: 'users' | 'groups'
}

/** What a permit is good for beyond its ids is said by its type. */
const permitOf = <Kind extends string>(tx: Tx, kind: Kind, ids: readonly number[]): Permit<Kind> => ({
  [issued]: true,
  tx,
  kind,
  ids: new Set(ids),
})

/**
 * Refuses a write about a record that the permit is not for.
 * @throws Error: that is a fault of the program
 */
export const requirePermitted = ({ kind, ids }: Permit<string>, wanted: readonly number[]): void => {
  const alien = wanted.find((id) => !ids.has(id))
  if (alien !== undefined) throw new Error(`The permit is not for ${kind} ${alien}`)
}

// ---- users ----

/**
 * Takes users for this transaction, in id order, so that two changes of the same people wait for each other; nobody
 * makes one of their roles stronger or weaker meanwhile.
 * @param roleIds further roles, locked with theirs: locked later they would come out of their order
 */
const lockUsers = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
  roleIds: readonly number[] = [],
): Promise<RankedUser[]> => {
  // Not `for update`: whoever holds a group and makes one of them a member (a foreign key) must not wait for this, which
  // may be about to wait for that group.
  await tx.execute(
    sql`select from ${users} where ${users.id} in (${idList(ids)}) order by ${users.id} for no key update`,
  )
  await lockRolesOf(tx, idList(ids), idList(roleIds))
  // A statement of its own: it sees what those it waited for have left.
  return rankedUsers(tx, ids, field)
}

/** Takes the roles that users have, and these others, in id order. */
const lockRolesOf = async (tx: Tx, userIds: SQL, others: SQL): Promise<void> => {
  await tx.execute(sql`
    select from ${roles}
    where ${roles.id} in (select role_id from user_roles where user_id in (${userIds}) union ${others})
    order by ${roles.id} for share`)
}

/**
 * To change users, to delete them, to end their sessions, to take their second factor away.
 * @param field names the field an id came from, by its index in `ids`
 * @param roleIds roles that they are to be given by a permit of `permitRolesOf`
 * @throws AppError (not_found, forbidden) naming the first that does not exist or is too strong
 */
export const permitUsers = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  field: (index: number) => string,
  roleIds: readonly number[] = [],
): Promise<UsersPermit> => {
  const locked = await lockUsers(tx, ids, field, roleIds)
  await requireStronger(tx, actor, locked, field)
  return { ...permitOf(tx, 'user', ids), users: locked, administrators: locked.some(isAdministrator) }
}

/** As `permitUsers`, for the one whom the request names as `id`. */
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

/** To make a user. Which roles they get is for `permitRolesOf` to say. */
export const permitNewUser = (tx: Tx): NewPermit<'user'> => ({ [issued]: true, tx, creates: 'user' })

/** For what belongs to the user who has just been made. */
export const permitMade = ({ tx }: NewPermit<'user'>, id: number): UsersPermit => ({
  ...permitOf(tx, 'user', [id]),
  users: [],
  administrators: false,
})

/**
 * How somebody has proved to be the user whose password or sessions they change; `the directory`: it let them change the
 * password there (see adopted-passwords.ts).
 */
export type OwnProof = 'a session' | 'a mailed code' | 'a password' | 'the directory'

/** Everybody may change their own password and end their own sessions. */
export const permitOwn = (tx: Tx, userId: number, _proof: OwnProof): OwnPermit => permitOf(tx, 'own', [userId])

/** Lets a start put the first administrator and the roles in place. */
export interface StartPermit extends AnyPermit {
  readonly start: true
}

/** What a start adds changes nobody who is there: it adds roles nobody has, and a user only where there is none. */
export const permitStart = (tx: Tx): StartPermit => ({ [issued]: true, tx, start: true })

/**
 * To give a user roles. Nobody may make somebody as strong as themselves, nor give away what is not theirs: a role can be
 * granted when it is weaker than the caller and the caller's own roles hold every operation it grants. Roles the user
 * has already are not granted anew.
 * @param userId the user they are for; null: one that is being made
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
  // Shared: until this transaction ends nobody makes one of these roles stronger.
  const found = await tx.execute<{ id: string; sort: number; had: boolean; covered: boolean }>(sql`
    select ${roles.id}, ${roles.sort},
      exists (select from ${userRoles} where ${userRoles.roleId} = ${roles.id} and ${userRoles.userId} = ${userId}) as had,
      ${coveredBy(actor)} as covered
    from ${roles} where ${roles.id} in (${idList(roleIds)}) order by ${roles.id} for share of ${roles}`)
  const byId = new Map(found.map((role) => [Number(role.id), role]))
  roleIds.forEach((id, index) => {
    const role = byId.get(id)
    if (role === undefined) throw missing.role_not_found.at(`roleIds.${index}`, { id })
    if (role.had || rank === strongest) return
    if (role.sort <= rank) {
      throw reasons.granted_role_too_strong.at(`roleIds.${index}`, { id })
    }
    if (!role.covered) {
      throw reasons.granted_role_beyond.at(`roleIds.${index}`, { id })
    }
  })
  return { ...permit, makesAdministrator: found.some(({ sort, had }) => sort === strongest && !had) }
}

/** Selects the roles of a user that grant what this caller does not hold. */
const rolesBeyond = (caller: Caller, userId: SQL): SQL => sql`
  select from ${userRoles} join ${roles} on ${roles.id} = ${userRoles.roleId}
  where ${userRoles.userId} = ${userId} and not ${coveredBy(caller)}`

/**
 * Whoever chooses a user's mail address can have a code sent to it and sign in as them. So only those may change it who
 * hold every operation that user holds.
 * @throws AppError (forbidden) naming `mail`
 */
export const requireMayReaddress = async (
  { tx }: UsersPermit,
  actor: Caller,
  target: RankedUser,
  mail: string | undefined,
): Promise<void> => {
  if (!mail || (await rankOf(tx, actor)) === strongest) return
  const beyond = await tx.execute(sql`
    select from ${users}
    where ${users.id} = ${target.id} and ${mailKeyOf(users.mail)} <> ${mailKey(mail)}
      and exists (${rolesBeyond(actor, sql`${users.id}`)})`)
  if (beyond.length > 0) {
    throw reasons.mail_signs_in.at('mail')
  }
}

/**
 * The source of a person who was taken over decides whether they are disabled when they leave it: only the strongest may
 * take them out of it.
 * @throws AppError (forbidden) naming `source`
 */
export const requireMayChangeSource = async (
  { tx }: UsersPermit,
  actor: Caller,
  target: RankedUser,
  source: string | undefined,
): Promise<void> => {
  if (source === undefined || (await rankOf(tx, actor)) === strongest) return
  const taken = await tx.execute(sql`
    select from ${users}
    where ${users.id} = ${target.id} and ${users.sourceUserId} <> '' and ${users.source} <> ${source}`)
  if (taken.length > 0) {
    throw reasons.source_fixed.at('source')
  }
}

// ---- groups ----

/** To make a group: nobody is in it yet. */
export const permitNewGroup = (tx: Tx): NewPermit<'group'> => ({ [issued]: true, tx, creates: 'group' })

/** What a change of a group reaches: nobody, its members, or also those of the groups below it (their DNs hold its name). */
export type Reach = 'nobody' | 'members' | 'subtree'

/** Selects `root` for each group that reaches a user as strong as this rank; `groups` has the columns `id` and `below`. */
const reachingStronger = (rank: number, selection: SQL): SQL => sql`
  with recursive reach as (
    select s.id as root, s.id, s.below from (${selection}) s
    union
    select r.root, g.id, true from ${groups} g join reach r on r.below and g.parent_id = r.id
  )
  select distinct r.root from reach r join ${groupMembers} m on m.group_id = r.id
  where ${asStrongAs(rank, sql`m.user_id`)}`

/**
 * To change groups, or to delete them. Call it with the groups locked, so that nobody joins meanwhile.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (forbidden) naming the first group that holds somebody who is too strong
 */
export const permitGroups = async (
  tx: Tx,
  actor: Actor,
  { ids, reach, field }: { ids: readonly number[]; reach: Reach; field: (index: number) => string },
): Promise<Permit<'group'>> => {
  const rank = await rankOf(tx, actor)
  if (rank !== strongest && reach !== 'nobody') {
    const selection = sql`select id, ${reach === 'subtree'} as below from (${idList(ids)}) listed`
    const rows = await tx.execute<{ root: string }>(reachingStronger(rank, selection))
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
 * To make users join or leave groups: where somebody belongs decides what applications let them do.
 * @throws AppError (not_found, forbidden) naming the first that does not exist or is too strong
 */
export const permitMembers = async (
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<MembersPermit> => {
  await requireExisting(tx, 'user', ids, field)
  await requireStronger(tx, actor, await rankedUsers(tx, ids, field), field)
  return permitOf(tx, 'member', ids)
}

// ---- roles ----

/** A role that is to be touched: how strong it is now, or is to be. */
export interface Strength {
  id: number
  sort: number
}

/**
 * Nobody may touch a role as strong as their own, nor make one; the strongest may touch every role.
 * @param field names the field that a strength, or the role that has it, came from
 * @throws AppError (forbidden) naming the first that is too strong
 */
const requireWeaker = (rank: number, strengths: readonly number[], field: (index: number) => string): void => {
  if (rank === strongest) return
  const index = strengths.findIndex((sort) => sort <= rank)
  if (index >= 0) throw reasons.role_too_strong.at(field(index))
}

/**
 * To make a role: nobody has it yet.
 * @throws AppError (forbidden) naming `sort`
 */
export const permitNewRole = async (tx: Tx, actor: Actor, sort: number): Promise<NewPermit<'role'>> => {
  requireWeaker(await rankOf(tx, actor), [sort], only('sort'))
  return { [issued]: true, tx, creates: 'role' }
}

/**
 * To change roles, or to delete them. Call it with the roles locked, so that nobody is given one meanwhile.
 * @param holders whether those who have the role can do more or less afterwards
 * @throws AppError (forbidden) naming the first role that is too strong, or that somebody has who is
 */
export const permitRoles = async (
  tx: Tx,
  actor: Caller,
  touched: readonly Strength[],
  { holders, field }: { holders: boolean; field: (index: number) => string },
): Promise<Permit<'role'>> => {
  const rank = await rankOf(tx, actor)
  requireWeaker(
    rank,
    touched.map(({ sort }) => sort),
    field,
  )
  const ids = touched.map(({ id }) => id)
  if (holders && rank !== strongest) {
    const rows = await tx.execute<{ id: string }>(sql`
      select distinct h.role_id as id from user_roles h
      where h.role_id in (${idList(ids)}) and h.user_id <> ${actor.userId} and ${asStrongAs(rank, sql`h.user_id`)}`)
    const refused = new Set(rows.map(({ id }) => Number(id)))
    const index = ids.findIndex((id) => refused.has(id))
    if (index >= 0) throw reasons.role_holders_too_strong.at(field(index))
  }
  return permitOf(tx, 'role', ids)
}

/**
 * A role may be made as strong as this.
 * @throws AppError (forbidden) naming `sort`
 */
export const requireWeakerThanOwn = async (tx: Tx, actor: Actor, sort: number): Promise<void> =>
  requireWeaker(await rankOf(tx, actor), [sort], only('sort'))

/**
 * To enable a role is to grant what it grants, to everybody who has it: nobody may do that with what is not theirs.
 * @throws AppError (forbidden) naming `status`
 */
export const requireCovered = async (tx: Tx, actor: Caller, roleId: number): Promise<void> => {
  if ((await rankOf(tx, actor)) === strongest) return
  const [role] = await tx.execute<{ covered: boolean }>(
    sql`select ${coveredBy(actor)} as covered from ${roles} where ${roles.id} = ${roleId}`,
  )
  if (!role?.covered) throw reasons.role_beyond.at('status')
}

// ---- runs ----

/** With whose rank a run changes people. */
export interface Authority {
  /** Who started it, or confirmed its plan. */
  actor: Actor
  /** Whether somebody looked at the plan and confirmed it, after a second factor. */
  confirmed: boolean
}

/**
 * Why a run may not change a record. `stronger`: it concerns a user who is too strong for the actor; `administrator`: it
 * concerns one who may do everything, and nobody has confirmed it; `mail`: whoever chooses the address could sign in with
 * operations that the actor does not hold; `last`: no enabled user would be left who may do everything.
 */
export interface Refused {
  id: number
  why: 'stronger' | 'administrator' | 'mail' | 'last'
}

/**
 * What somebody is too strong for. What nobody has looked at changes nobody who may do everything: the operator's
 * schedules do not, and no run disables them.
 */
const tooStrong = (rank: number, { actor, confirmed }: Authority, userId: SQL, disables: SQL): SQL => {
  if (rank !== strongest) return asStrongAs(rank, userId)
  if (confirmed) return sql`false`
  return actor === 'operator' ? asStrongAs(strongest, userId) : sql`(${disables} and ${asStrongAs(strongest, userId)})`
}

const tooStrongWhy = (rank: number): Refused['why'] => (rank === strongest ? 'administrator' : 'stronger')

/**
 * Names those whom a run may not change, and lets it change the others. Call it with the users locked.
 * @param people selects whom it would change: `id`, `mail` (the new address; null: it stays), `disables`
 */
export const permitRunOnUsers = async (
  tx: Tx,
  authority: Authority,
  people: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const { actor } = authority
  // The role that a run gives to those it adds is locked with the others.
  await lockRolesOf(
    tx,
    sql`select id from (${people}) p`,
    sql`select ${roles.id} from ${roles} where ${roles.keyword} = ${importedKeyword}`,
  )
  const rank = await rankOf(tx, actor)
  const beyond =
    actor === 'operator' || rank === strongest
      ? sql`false`
      : sql`(p.mail is not null and exists (${rolesBeyond(actor, sql`p.id`)}))`
  const rows = await tx.execute<{ id: string; why: Refused['why'] }>(sql`
    select id, why from (
      select p.id, case when ${tooStrong(rank, authority, sql`p.id`, sql`p.disables`)} then ${tooStrongWhy(rank)}
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

/** Those whom a run would disable, where they are all who may do everything. */
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
 * Names the groups that a run may not change, and lets it change the others. Call it with the groups locked.
 * @param selection selects what it would change: `id`, and `below` where that reaches the groups below too
 */
export const permitRunOnGroups = async (
  tx: Tx,
  { actor, confirmed }: Authority,
  selection: SQL,
): Promise<{ permit: RunPermit; refused: Refused[] }> => {
  const permit: RunPermit = { [issued]: true, tx, run: 'groups' }
  const rank = await rankOf(tx, actor)
  if (rank === strongest && (confirmed || actor !== 'operator')) return { permit, refused: [] }
  const rows = await tx.execute<{ root: string }>(reachingStronger(rank, selection))
  return { permit, refused: rows.map(({ root }) => ({ id: Number(root), why: tooStrongWhy(rank) })) }
}
