import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { groupMembers, groups } from '../db/schema.ts'
import { idList } from '../ldap/touch.ts'
import { inRequestOrder } from './existing.ts'
import { only } from './request-fields.ts'

export interface LockedGroup {
  id: number
  groupName: string
  groupType: string
  /** null: directly under the base. */
  parentId: number | null
}

/**
 * Takes groups for this transaction, in id order: nobody can change them, or hang a group below them, meanwhile.
 * @param field names the field an id came from, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const lockGroups = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<LockedGroup[]> => {
  const rows = await tx
    .select({ id: groups.id, groupName: groups.groupName, groupType: groups.groupType, parentId: groups.parentId })
    .from(groups)
    .where(sql`${groups.id} in (${idList(ids)})`)
    .orderBy(groups.id)
    .for('update')
  return inRequestOrder('group', rows, ids, field)
}

/** One group taken for this transaction. */
export const lockGroup = async (tx: Tx, id: number, field: string): Promise<LockedGroup> => {
  const [group] = await lockGroups(tx, [id], only(field))
  if (group === undefined) throw new Error('A group that was locked is not there')
  return group
}

/** Makes users members of a group; those who are stay so. Answers the ids of the new ones. */
export const addMembers = async (tx: Tx, groupId: number, userIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    insert into ${groupMembers} (group_id, user_id) select distinct ${groupId}::bigint, id from (${idList(userIds)}) as listed
    on conflict do nothing returning user_id as id`)
  return rows.map((row) => Number(row.id))
}

/** Ends memberships; those who are none stay so. Answers the ids of those who were. */
export const removeMembers = async (tx: Tx, groupId: number, userIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    delete from ${groupMembers}
    where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} in (${idList(userIds)})
    returning user_id as id`)
  return rows.map((row) => Number(row.id))
}

/** The users who are in one of these groups. */
export const membersOf = async (tx: Tx, groupIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct ${groupMembers.userId} as id from ${groupMembers}
    where ${groupMembers.groupId} in (${idList(groupIds)})`)
  return rows.map((row) => Number(row.id))
}

/** Selects a group and all below it. */
export const subtreeOf = (groupId: number): SQL => sql`
  with recursive below as (
    select id from ${groups} where id = ${groupId}
    union all
    select g.id from ${groups} g join below on g.parent_id = below.id
  )
  select id from below`
