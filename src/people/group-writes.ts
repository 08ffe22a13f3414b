import { type SQL, sql } from 'drizzle-orm'
import type { MembersPermit } from '../access/permits/permit.ts'
import type { Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { reasons as missing } from '../db/reasons.ts'
import { only } from '../db/request-fields.ts'
import { groupMembers, groups } from '../db/schema.ts'

export interface LockedGroup {
  id: number
  groupName: string
  groupType: string
  /** null: directly under the base. */
  parentId: number | null
}

/**
 * Waits for a run that rearranges departments, before any row of `groups` is locked: such a run locks the table and
 * then its rows (see sync/apply-groups.ts).
 */
export const beginGroupChange = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`lock table ${groups} in row exclusive mode`)
}

/**
 * Locks groups for this transaction, in id order: they cannot be changed, nor get new child groups, meanwhile.
 * @param field names the field of an id, by its index in `ids`
 * @throws AppError (not_found) naming the first that does not exist
 */
export const lockGroups = async (
  tx: Tx,
  ids: readonly number[],
  field: (index: number) => string,
): Promise<LockedGroup[]> => {
  await beginGroupChange(tx)
  const rows = await tx
    .select({ id: groups.id, groupName: groups.groupName, groupType: groups.groupType, parentId: groups.parentId })
    .from(groups)
    .where(sql`${groups.id} = ${anyOfIds(ids)}`)
    .orderBy(groups.id)
    .for('update')
  return inRequestOrder('group', rows, ids, field)
}

/** One group, locked for this transaction. */
export const lockGroup = async (tx: Tx, id: number, field: string): Promise<LockedGroup> => {
  const [group] = await lockGroups(tx, [id], only(field))
  if (group === undefined) throw new Error('A group that was locked is not there')
  return group
}

/** The ids of the groups that these are directly below. */
export const parentsOf = (locked: readonly Pick<LockedGroup, 'parentId'>[]): number[] =>
  locked.flatMap(({ parentId }) => parentId ?? [])

const theGroup = (groupId: number): SQL => sql`
  select ${groups.id} as id from ${groups} where ${groups.id} = ${groupId} for key share`

interface MembersChange extends Record<string, unknown> {
  found: boolean
  /** The ids of those whose membership changed. */
  changed: number[]
}

const changedMembers = ([row]: readonly MembersChange[], groupId: number): number[] => {
  if (!row?.found) throw missing.group_not_found.at('groupId', { id: groupId })
  return row.changed
}

/**
 * Makes all users of the permit members of the group of the request's field `groupId`.
 * @returns the ids of the new members
 * @throws AppError (not_found) when the group does not exist
 */
export const addMembers = async ({ tx, ids }: MembersPermit, groupId: number): Promise<number[]> => {
  const rows = await tx.execute<MembersChange>(sql`
    with found as (${theGroup(groupId)}), come as (
      insert into ${groupMembers} (group_id, user_id)
      select found.id, listed.id from found cross join (${idList([...ids])}) as listed
      on conflict do nothing returning user_id)
    select exists (select from found) as found, (select coalesce(json_agg(user_id), '[]') from come) as changed`)
  return changedMembers(rows, groupId)
}

/**
 * Ends the memberships of all users of the permit in the group of the request's field `groupId`.
 * @returns the ids of those who were members
 * @throws AppError (not_found) when the group does not exist
 */
export const removeMembers = async ({ tx, ids }: MembersPermit, groupId: number): Promise<number[]> => {
  const rows = await tx.execute<MembersChange>(sql`
    with found as (${theGroup(groupId)}), gone as (
      delete from ${groupMembers}
      where ${groupMembers.groupId} = (select id from found) and ${groupMembers.userId} = ${anyOfIds([...ids])}
      returning user_id)
    select exists (select from found) as found, (select coalesce(json_agg(user_id), '[]') from gone) as changed`)
  return changedMembers(rows, groupId)
}

/** The users who are in one of these groups. */
export const membersOf = async (tx: Tx, groupIds: readonly number[]): Promise<number[]> => {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct ${groupMembers.userId} as id from ${groupMembers}
    where ${groupMembers.groupId} = ${anyOfIds(groupIds)}`)
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
