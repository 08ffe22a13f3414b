import { sql } from 'drizzle-orm'
import { enabledAmong, membersAmong, type UsersPermit } from '../access/permits/permit.ts'
import { permitFewer, permitRolesOf, type RefusedUsers } from '../access/permits/users.ts'
import { isAdministrator } from '../access/seniority.ts'
import { requirePresentFactor } from '../access/step-up.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Principal } from '../contract/handler.ts'
import type { Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { anyOfIds } from '../db/id-list.ts'
import { itemOf } from '../db/request-fields.ts'
import { groupMembers, sessions } from '../db/schema.ts'
import type { components } from '../generated/operations.types.ts'
import { type Touched, touch, touchDeleted } from '../mirror/touch.ts'
import { changeStatuses, giveRoles, joinGroups, leaveGroups, type Membership, takeRoles } from './bulk-writes.ts'
import { deleteUsers, touchListsWith, touchMemberLists } from './user-writes.ts'

type Schemas = components['schemas']
export type BulkAction = Exclude<Schemas['PeopleAction'], 'sync'>
type Effect = Omit<Schemas['ChangeEffect'], 'changed' | 'unchanged' | 'refused'>

/** The parameters of the action; those that it does not need are empty. */
export interface Bulk {
  action: BulkAction
  roleIds: readonly number[]
  groupIds: readonly number[]
  from: number
  to: number
}

interface Context extends Bulk {
  /** People who stay as they are, the caller among them where they cannot do this to themselves. */
  refused: RefusedUsers
  user: Principal
  dryRun: boolean
}

export interface Done {
  /** The people who were changed. */
  changed: number[]
  effect: Effect
  /** Marks the entries that the mirror must write; not called for a dry run. */
  touched: () => Promise<Touched[]>
}

export const noEffect: Effect = { sessionsEnded: 0, membershipsEnded: 0, membershipsAdded: 0, administrators: 0 }

type Act = (permit: UsersPermit, context: Context) => Promise<Done>

export const administratorsOf = ({ users }: UsersPermit): number => users.filter(isAdministrator).length

/** The permit without the people for whom the action is refused. */
const unrefused = (permit: UsersPermit, { refused }: Context, wanted = (_: { status: number }) => true): UsersPermit =>
  permitFewer(
    permit,
    permit.users.filter((user) => !refused.has(user.id) && wanted(user)).map(({ id }) => id),
  )

/** How many sessions these users have that have not ended. */
export const openSessions = async (tx: Tx, ids: readonly number[]): Promise<number> => {
  const [row] = await tx.execute<{ open: number }>(sql`
    select count(*)::int as open from ${sessions}
    where ${sessions.userId} = ${anyOfIds(ids)} and ${sessions.endedAt} is null`)
  return row?.open ?? 0
}

const memberships = async (tx: Tx, ids: readonly number[]): Promise<number> => {
  const [row] = await tx.execute<{ all: number }>(sql`
    select count(*)::int as "all" from ${groupMembers} where ${groupMembers.userId} = ${anyOfIds(ids)}`)
  return row?.all ?? 0
}

const setStatus =
  (status: 1 | 2): Act =>
  async (all, context) => {
    const permit = unrefused(all, context, (user) => user.status !== status)
    const { tx } = permit
    const changed = [...permit.ids]
    if (status === 1 && permit.administrators && !context.dryRun) await requirePresentFactor(tx, context.user)
    const sessionsEnded = status === 2 ? await openSessions(tx, changed) : 0
    await changeStatuses(permit, status)
    if (status === 2) await endSessions(permit, changed, 'disabled')
    return {
      changed,
      effect: { ...noEffect, sessionsEnded, administrators: administratorsOf(permit) },
      touched: async () => [...(await touch(tx, 'user', changed)), ...(await touchListsWith(tx, changed))],
    }
  }

const remove: Act = async (all, context) => {
  const permit = unrefused(all, context)
  const { tx } = permit
  const changed = [...permit.ids]
  const effect = {
    ...noEffect,
    sessionsEnded: await openSessions(tx, changed),
    membershipsEnded: await memberships(tx, changed),
    administrators: administratorsOf(permit),
  }
  const marked = context.dryRun
    ? []
    : [...(await touchDeleted(tx, 'user', changed)), ...(await touchListsWith(tx, enabledAmong(permit)))]
  await deleteUsers(permit)
  return { changed, effect, touched: async () => marked }
}

/** The result of memberships that began or ended. Both entries show one: the person's and the group's. */
const movedBetween = (permit: UsersPermit, ended: readonly Membership[], added: readonly Membership[]): Done => {
  const { tx } = permit
  const all = [...ended, ...added]
  const changed = [...new Set(all.map(({ userId }) => userId))]
  const groupsOf = (some: readonly Membership[]): number[] => [...new Set(some.map(({ groupId }) => groupId))]
  return {
    changed,
    effect: {
      ...noEffect,
      membershipsEnded: ended.length,
      membershipsAdded: added.length,
      administrators: administratorsOf(permitFewer(permit, changed)),
    },
    touched: async () => [
      ...(await touch(tx, 'user', changed)),
      ...(await touchMemberLists(tx, groupsOf(all), { withdraws: groupsOf(ended), joined: changed, about: changed })),
    ],
  }
}

const move: Act = async (permit, { from, to }) => {
  await requireExisting(permit.tx, 'group', [from, to], (index) => (index === 0 ? 'from' : 'to'))
  const there = permitFewer(permit, membersAmong(permit, from))
  if (from === to) return movedBetween(there, [], [])
  const ended = await leaveGroups(there, [from])
  const gone = permitFewer(
    there,
    ended.map(({ userId }) => userId),
  )
  return movedBetween(there, ended, await joinGroups(gone, [to]))
}

const addGroups: Act = async (permit, { groupIds }) => {
  await requireExisting(permit.tx, 'group', groupIds, itemOf('groupIds'))
  return movedBetween(permit, [], await joinGroups(permit, groupIds))
}

const removeGroups: Act = async (permit, { groupIds }) => {
  await requireExisting(permit.tx, 'group', groupIds, itemOf('groupIds'))
  return movedBetween(permit, await leaveGroups(permit, groupIds), [])
}

/** Roles are not shown in the directory. */
const regranted = (permit: UsersPermit, changed: number[]): Done => ({
  changed,
  effect: { ...noEffect, administrators: administratorsOf(permitFewer(permit, changed)) },
  touched: async () => [],
})

const addRoles: Act = async (permit, { roleIds, user, dryRun }) => {
  const grants = await permitRolesOf(permit.tx, user, roleIds, null)
  if (grants.makesAdministrator && !dryRun) await requirePresentFactor(permit.tx, user)
  return regranted(permit, await giveRoles(permit, grants))
}

const removeRoles: Act = async (permit, { roleIds }) => {
  await requireExisting(permit.tx, 'role', roleIds, itemOf('roleIds'))
  return regranted(permit, await takeRoles(permit, roleIds))
}

/** Each action changes all people of the permit at once. */
export const bulkActions: Readonly<Record<BulkAction, Act>> = {
  enable: setStatus(1),
  disable: setStatus(2),
  delete: remove,
  move,
  addGroups,
  removeGroups,
  addRoles,
  removeRoles,
}
