import { sql } from 'drizzle-orm'
import type { RolesOfUserPermit, UsersPermit } from '../access/permits/permit.ts'
import { requireAdministratorLeft } from '../access/seniority.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { groupMembers, userRoles, users } from '../db/schema.ts'

/** A membership that began or ended. */
export interface Membership {
  userId: number
  groupId: number
}

const membershipsOf = (rows: readonly { user: string; group: string }[]): Membership[] =>
  rows.map((row) => ({ userId: Number(row.user), groupId: Number(row.group) }))

/**
 * Enables or disables all users of the permit, as `changeStatus` does with one.
 * @throws AppError (forbidden) when no enabled administrator would be left
 */
export const changeStatuses = async (permit: UsersPermit, status: 1 | 2): Promise<void> => {
  await permit.tx.execute(sql`
    update ${users} set status = ${status}, source_fields = source_fields - 'active', updated_at = now()
    where ${users.id} = ${anyOfIds([...permit.ids])}`)
  if (permit.administrators) await requireAdministratorLeft(permit.tx)
}

/** Makes all users of the permit members of all these groups; returns the memberships that are new. */
export const joinGroups = async ({ tx, ids }: UsersPermit, groupIds: readonly number[]): Promise<Membership[]> =>
  membershipsOf(
    await tx.execute<{ user: string; group: string }>(sql`
      insert into ${groupMembers} (group_id, user_id)
      select g.id, u.id from (${idList([...groupIds])}) g cross join (${idList([...ids])}) u order by g.id, u.id
      on conflict do nothing returning user_id as "user", group_id as "group"`),
  )

/** Ends the memberships of all users of the permit in these groups; returns the memberships that ended. */
export const leaveGroups = async ({ tx, ids }: UsersPermit, groupIds: readonly number[]): Promise<Membership[]> =>
  membershipsOf(
    await tx.execute<{ user: string; group: string }>(sql`
      delete from ${groupMembers}
      where ${groupMembers.groupId} = ${anyOfIds(groupIds)} and ${groupMembers.userId} = ${anyOfIds([...ids])}
      returning user_id as "user", group_id as "group"`),
  )

const distinctIds = (rows: readonly { id: string }[]): number[] => [...new Set(rows.map(({ id }) => Number(id)))]

/** Gives all users of the permit these roles; returns the ids of those who lacked one. */
export const giveRoles = async ({ tx, ids }: UsersPermit, { roleIds }: RolesOfUserPermit): Promise<number[]> =>
  distinctIds(
    await tx.execute<{ id: string }>(sql`
      insert into ${userRoles} (user_id, role_id)
      select u.id, r.id from (${idList([...ids])}) u cross join (${idList(roleIds)}) r order by u.id, r.id
      on conflict do nothing returning user_id as id`),
  )

/**
 * Takes these roles from all users of the permit; returns the ids of those who had one.
 * @throws AppError (forbidden) when no enabled administrator would be left
 */
export const takeRoles = async (permit: UsersPermit, roleIds: readonly number[]): Promise<number[]> => {
  const rows = await permit.tx.execute<{ id: string }>(sql`
    delete from ${userRoles}
    where ${userRoles.userId} = ${anyOfIds([...permit.ids])} and ${userRoles.roleId} = ${anyOfIds(roleIds)}
    returning user_id as id`)
  if (permit.administrators) await requireAdministratorLeft(permit.tx)
  return distinctIds(rows)
}
