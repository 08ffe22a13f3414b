import type { Tx } from '../../db/client.ts'
import type { RankedUser } from '../seniority.ts'
import type { issued } from './issue.ts'

/**
 * The one way to change people. Every change of a person, or of what they belong to, needs a permit. Permits are issued
 * only in this folder, after the rules of seniority were checked with the actor's rank in this transaction. A function that
 * writes `users`, `user_roles`, `group_members`, `groups` or `roles`, or a password, or that ends a user's sessions or
 * removes their second factor, takes a permit instead of a transaction (see rows.ts, user-writes.ts, group-writes.ts
 * and sync/apply-*.ts).
 */

/** What all permits have in common. */
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

/** A user whose row is locked, and what a change may find to be so already. */
export interface LockedUser extends RankedUser {
  /** See identity-keys.ts. */
  mailKey: string
  roleIds: number[]
  groupIds: number[]
}

/** Allows changes of users. */
export interface UsersPermit extends Permit<'user'> {
  /** Those that were there before. */
  readonly users: readonly LockedUser[]
  /** Whether one of them is an administrator: another administrator must then be left. */
  readonly administrators: boolean
}

/** Allows users to change how they prove themselves: their own password, their own sessions. */
export type OwnPermit = Permit<'own'>

/** Allows users to join and leave groups. */
export interface MembersPermit extends Permit<'member'> {
  readonly users: readonly LockedUser[]
}

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

/** Allows a start to create the first administrator and the roles. */
export interface StartPermit extends AnyPermit {
  readonly start: true
}

/**
 * Refuses a write to a record that the permit does not include.
 * @throws Error: that is a defect of the program
 */
export const requirePermitted = ({ kind, ids }: Permit<string>, wanted: readonly number[]): void => {
  const alien = wanted.find((id) => !ids.has(id))
  if (alien !== undefined) throw new Error(`The permit is not for ${kind} ${alien}`)
}

/** Which of the users were members of the group when they were locked. */
export const membersAmong = ({ users }: UsersPermit | MembersPermit, groupId: number): number[] =>
  users.flatMap(({ id, groupIds }) => (groupIds.includes(groupId) ? [id] : []))

/** The users who were enabled when they were locked, which they are until the transaction changes them. */
export const enabledAmong = ({ users }: UsersPermit): number[] =>
  users.flatMap(({ id, status }) => (status === 1 ? [id] : []))

/** The groups that one of these users was in when they were locked. */
export const groupsAmong = ({ users }: UsersPermit, userIds: readonly number[]): number[] => {
  const wanted = new Set(userIds)
  return [...new Set(users.flatMap(({ id, groupIds }) => (wanted.has(id) ? groupIds : [])))]
}
