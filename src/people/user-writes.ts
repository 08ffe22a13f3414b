import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type OwnPermit, type RolesOfUserPermit, requirePermitted, type UsersPermit } from '../access/permits/permit.ts'
import { deleteRows, updateRow } from '../access/rows.ts'
import { requireAdministratorLeft } from '../access/seniority.ts'
import { refusingClashes } from '../db/clashes.ts'
import type { Tx } from '../db/client.ts'
import { inRequestOrder } from '../db/existing.ts'
import { anyOfIds, idList } from '../db/id-list.ts'
import { groupMembers, groups, userRoles, users } from '../db/schema.ts'
import { type ListsHow, type Touched, touchLists } from '../mirror/touch.ts'
import { userClashes } from './reasons.ts'

type UserRow = typeof users.$inferInsert
type UserColumns = Partial<UserRow>
type UserSet = PgUpdateSetSource<typeof users>

/** Writes the given columns of a user; `changeStatus` enables and disables. */
export const updateUser = async (
  permit: UsersPermit,
  id: number,
  columns: Omit<UserColumns, 'status' | 'attributes'> | Pick<UserSet, 'attributes'>,
): Promise<void> => {
  await updateRow(permit, users, id, columns, userClashes)
}

/**
 * Writes what users may change of themselves.
 * @throws AppError (conflict) naming `mail` where another user has the address
 */
export const updateOwn = async (
  permit: OwnPermit,
  id: number,
  columns: Pick<UserColumns, 'nickname' | 'mail' | 'language' | 'theme'> | Pick<UserSet, 'attributes' | 'sshKeys'>,
): Promise<void> => {
  requirePermitted(permit, [id])
  await refusingClashes(
    permit.tx
      .update(users)
      .set({ ...columns, updatedAt: sql`now()` })
      .where(eq(users.id, id)),
    userClashes,
  )
}

/**
 * Enables or disables a user by hand. It no longer counts that the user left their source: one who was disabled by hand
 * is not enabled when they return there.
 * @throws AppError (forbidden) when no enabled administrator would be left
 */
export const changeStatus = async (permit: UsersPermit, id: number, status: number): Promise<void> => {
  const columns = { status, sourceFields: sql`${users.sourceFields} - 'active'` }
  await updateRow(permit, users, id, columns, userClashes)
  if (permit.administrators) await requireAdministratorLeft(permit.tx)
}

/**
 * Deletes all users of the permit. Mark them and their groups before: their rows of the ledger are locked then, so that who
 * makes them members of another group has marked it, or waits and finds them gone.
 * @throws AppError (forbidden) when no enabled administrator would be left
 */
export const deleteUsers = async (permit: UsersPermit): Promise<void> => {
  await deleteRows(permit, users, [...permit.ids])
  if (permit.administrators) await requireAdministratorLeft(permit.tx)
}

/** Whether the user had just these when their row was locked. */
const hasThese = (
  { users }: UsersPermit,
  userId: number,
  what: 'groupIds' | 'roleIds',
  ids: readonly number[],
): boolean => {
  const user = users.find(({ id }) => id === userId)
  const wanted = new Set(ids)
  return user !== undefined && user[what].length === wanted.size && user[what].every((id) => wanted.has(id))
}

/** Selects those of these groups that exist. They stay until the transaction ends. */
const existing = (groupIds: readonly number[]): SQL => sql`
  select ${groups.id} as id from ${groups} where ${groups.id} = ${anyOfIds(groupIds)} order by ${groups.id} for key share`

/** What became of a group: the user left it, joined it, or it exists. */
type Membership = { id: string; was: 'left' | 'joined' | 'found' }

/**
 * Replaces the groups of a user.
 * @param field names the field of a group, by its index in `groupIds`
 * @returns the ids of the groups that were left, and of those that were joined
 * @throws AppError (not_found) naming the first group that does not exist
 */
export const replaceMemberships = async (
  permit: UsersPermit,
  userId: number,
  groupIds: readonly number[],
  field: (index: number) => string,
): Promise<{ left: number[]; joined: number[] }> => {
  requirePermitted(permit, [userId])
  // A change of their groups that ends meanwhile comes after this one.
  if (hasThese(permit, userId, 'groupIds', groupIds)) return { left: [], joined: [] }
  const rows = await permit.tx.execute<Membership>(sql`
    with wanted as (${existing(groupIds)}),
    gone as (
      delete from ${groupMembers}
      where ${groupMembers.userId} = ${userId} and ${groupMembers.groupId} not in (select id from wanted)
      returning ${groupMembers.groupId}
    ),
    come as (
      insert into ${groupMembers} (group_id, user_id) select id, ${userId} from wanted
      on conflict do nothing returning ${groupMembers.groupId}
    )
    select group_id as id, 'left' as was from gone union all select group_id, 'joined' from come
      union all select id, 'found' from wanted`)
  requireFoundGroups(rows, groupIds, field)
  return { left: thoseThat(rows, 'left'), joined: thoseThat(rows, 'joined') }
}

const thoseThat = (rows: readonly Membership[], was: Membership['was']): number[] =>
  rows.flatMap((row) => (row.was === was ? [Number(row.id)] : []))

const requireFoundGroups = (
  rows: readonly Membership[],
  groupIds: readonly number[],
  field: (index: number) => string,
): void => {
  const found = thoseThat(rows, 'found').map((id) => ({ id }))
  inRequestOrder('group', found, groupIds, field)
}

/**
 * Puts a new user, who is in no group yet, into these.
 * @param field names the field of a group, by its index in `groupIds`
 * @throws AppError (not_found) naming the first group that does not exist
 */
export const insertMemberships = async (
  permit: UsersPermit,
  userId: number,
  groupIds: readonly number[],
  field: (index: number) => string,
): Promise<void> => {
  requirePermitted(permit, [userId])
  const rows = await permit.tx.execute<Membership>(sql`
    insert into ${groupMembers} (group_id, user_id)
    select id, ${userId}::bigint from (${existing(groupIds)}) as found
    returning group_id as id, 'found' as was`)
  requireFoundGroups(rows, groupIds, field)
}

/**
 * Replaces the roles of a user.
 * @throws AppError (forbidden) when no enabled administrator would be left
 */
export const replaceRoles = async (permit: UsersPermit, userId: number, wanted: RolesOfUserPermit): Promise<void> => {
  requirePermitted(permit, [userId])
  if (wanted.userId !== null) requirePermitted(permit, [wanted.userId])
  const { roleIds } = wanted
  if (hasThese(permit, userId, 'roleIds', roleIds)) return
  const rows = await permit.tx.execute(sql`
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
  if (rows.length > 0 && permit.administrators) await requireAdministratorLeft(permit.tx)
}

/**
 * Marks the groups whose entries list one of these users, as they are when it is sent.
 * @param userIds users who are enabled, or were until now: no entry lists others. They were marked before
 * @param known groups that they were in before
 */
export const touchListsWith = async (
  tx: Tx,
  userIds: readonly number[],
  known: readonly number[] = [],
): Promise<Touched[]> =>
  userIds.length === 0
    ? []
    : touchLists(
        tx,
        sql`select ${groupMembers.groupId} as id from ${groupMembers} where ${groupMembers.userId} = ${anyOfIds(userIds)}
          union select id from (${idList(known)}) as known`,
        { about: userIds },
      )

/** Marks the groups whose entries list the members of these groups. */
export const touchMemberLists = async (tx: Tx, groupIds: readonly number[], how: ListsHow = {}): Promise<Touched[]> =>
  groupIds.length === 0 ? [] : touchLists(tx, groupIds, how)

/**
 * Whether a text is the list of names of a user's present or new groups (null: a new user). Consoles send back the
 * list they were shown: stored as a text it would no longer follow the groups.
 */
export const saysGroupNames = async (
  tx: Tx,
  text: string | undefined,
  { userId, groupIds }: { userId: number | null; groupIds: readonly number[] },
): Promise<boolean> => {
  if (!text) return false
  const [names] = await tx.execute<{ present: string[]; wanted: string[] }>(sql`
    select
      (select coalesce(jsonb_agg(distinct g.group_name), '[]') from group_members m join groups g on g.id = m.group_id
        where m.user_id = ${userId}) as present,
      (select coalesce(jsonb_agg(distinct g.group_name), '[]') from groups g where g.id = ${anyOfIds(groupIds)}) as wanted`)
  const said = listed(text)
  return names !== undefined && [names.present, names.wanted].some((each) => listed(each.join()) === said)
}

/** The parts of a list in sorted order, whatever separates them. */
const listed = (text: string): string =>
  text
    .split(/[,;\uff0c\uff1b\u3001]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .sort()
    .join('\n')
