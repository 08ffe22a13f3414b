import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { groupMembers, groups, userRoles, users } from '../db/schema.ts'
import { idList, type Touched, touchSelected } from '../ldap/touch.ts'

type UserRow = typeof users.$inferInsert

/** Makes these the groups of a user. Answers the ids of the groups that were left or joined. */
export const replaceMemberships = async (tx: Tx, userId: number, groupIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    with wanted as (select distinct id from (${idList(groupIds)}) as listed),
    gone as (
      delete from ${groupMembers}
      where ${groupMembers.userId} = ${userId} and ${groupMembers.groupId} not in (select id from wanted)
      returning ${groupMembers.groupId}
    ),
    come as (
      insert into ${groupMembers} (group_id, user_id) select id, ${userId} from wanted
      on conflict do nothing returning ${groupMembers.groupId}
    )
    select group_id as id from gone union all select group_id from come`)
  return rows.map((row) => Number(row.id))
}

/** Makes these the roles of a user. Answers whether that changed anything. */
export const replaceRoles = async (tx: Tx, userId: number, roleIds: readonly number[]): Promise<boolean> => {
  const rows = await tx.execute(sql`
    with wanted as (select distinct id from (${idList(roleIds)}) as listed),
    gone as (
      delete from ${userRoles}
      where ${userRoles.userId} = ${userId} and ${userRoles.roleId} not in (select id from wanted)
      returning ${userRoles.roleId}
    ),
    come as (
      insert into ${userRoles} (user_id, role_id) select ${userId}, id from wanted
      on conflict do nothing returning ${userRoles.roleId}
    )
    select role_id from gone union all select role_id from come`)
  return rows.length > 0
}

/** The groups whose entries list one of these users. */
export const groupsListing = async (tx: Tx, userIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct ${groups.id} from ${groupMembers} join ${groups} on ${groups.id} = ${groupMembers.groupId}
    where ${groupMembers.userId} in (${idList(userIds)}) and ${groups.groupType} = 'cn'`)
  return rows.map((row) => Number(row.id))
}

/** Marks those of the groups whose entries list members; the others show no change of membership. */
export const touchMemberLists = (tx: Tx, groupIds: readonly number[]): Promise<Touched[]> =>
  touchSelected(
    tx,
    'group',
    sql`select ${groups.id} as id from ${groups} where ${groups.id} in (${idList(groupIds)}) and ${groups.groupType} = 'cn'`,
  )

/** Sets a new password, unless the old one has been replaced since it was looked at. Answers whether it was set. */
export const replacePassword = async (
  tx: Tx,
  id: number,
  oldHash: string,
  password: Pick<UserRow, 'passwordHash' | 'directoryPassword'>,
): Promise<boolean> => {
  const rows = await tx
    .update(users)
    .set({ ...password, updatedAt: sql`now()` })
    .where(and(eq(users.id, id), eq(users.passwordHash, oldHash)))
    .returning({ id: users.id })
  return rows.length > 0
}
