import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { contains } from '../db/like.ts'
import { groupMembers, groups, users } from '../db/schema.ts'
import type { components } from '../generated/directory.types.ts'
import { batchSize, newestFirst, type Page } from './paging.ts'
import { directoryFields, hasSyncState, joinDirectoryEntry } from './record-sql.ts'
import { type TreeNode, treeOf } from './tree.ts'

export type GroupRecord = components['schemas']['Group']
export type MemberList = components['schemas']['MemberList']

/** An empty text filters nothing. */
export interface GroupFilter {
  groupName?: string
  remark?: string
  syncState?: number
}

export interface GroupPage {
  total: number
  groups: GroupRecord[]
}

const record = written(
  jsonObject<GroupRecord>({
    id: groups.id,
    groupName: groups.groupName,
    groupType: groups.groupType,
    parentId: sql`coalesce(${groups.parentId}, 0)`,
    remark: groups.remark,
    groupDn: directoryFields.dn,
    memberCount: sql`(select count(*) from ${groupMembers} where ${groupMembers.groupId} = ${groups.id})`,
    source: groups.source,
    sourceDeptId: groups.sourceDeptId,
    sourceDeptParentId: groups.sourceDeptParentId,
    syncState: directoryFields.syncState,
    syncError: directoryFields.syncError,
    creator: groups.creator,
    createdAt: instantText(groups.createdAt),
    updatedAt: instantText(groups.updatedAt),
  }),
)

const joinAll = written(joinDirectoryEntry('group', groups.id))

const member = written(
  jsonObject({
    userId: users.id,
    userName: users.username,
    nickName: users.nickname,
    mail: users.mail,
    jobNumber: users.jobNumber,
    mobile: users.mobile,
    introduction: users.introduction,
  }),
)

const where = (filter: GroupFilter, ...more: SQL[]): SQL => {
  const wanted: SQL[] = []
  if (filter.groupName) wanted.push(contains(groups.groupName, filter.groupName))
  if (filter.remark) wanted.push(contains(groups.remark, filter.remark))
  if (filter.syncState !== undefined) wanted.push(hasSyncState('group', groups.id, filter.syncState))
  return sql`where ${and(sql`true`, ...wanted, ...more)}`
}

const newest = written(sql<GroupRecord[]>`coalesce(json_agg(${record} order by ${groups.id} desc), '[]'::json)`)

/** Reads groups in the shape of the contract. */
export const groupRecords = (db: Db) => ({
  /** A page of those that pass the filter, newest first, and how many there are on all pages. */
  async page(filter: GroupFilter, { limit, offset }: Page): Promise<GroupPage> {
    const wanted = where(filter)
    const [row] = await db
      .select({
        page: jsonObject<GroupPage>({ total: sql`(select count(*) from ${groups} ${wanted})`, groups: newest }),
      })
      .from(
        sql`(select * from ${groups} ${wanted} order by ${groups.id} desc limit ${limit} offset ${offset}) as ${groups} ${joinAll}`,
      )
    return row?.page ?? { total: 0, groups: [] }
  },

  /** All that pass the filter, newest first, in batches. */
  all(filter: GroupFilter): AsyncIterable<GroupRecord[]> {
    return newestFirst(async (before) => {
      const wanted = where(filter, lt(groups.id, before))
      const [row] = await db
        .select({ groups: newest })
        .from(
          sql`(select * from ${groups} ${wanted} order by ${groups.id} desc limit ${batchSize}) as ${groups} ${joinAll}`,
        )
      return row?.groups ?? []
    })
  },

  /** All groups, oldest first, each under its parent. */
  async tree(): Promise<TreeNode<GroupRecord>[]> {
    const [row] = await db
      .select({ groups: sql<GroupRecord[]>`coalesce(json_agg(${record} order by ${groups.id}), '[]'::json)` })
      .from(sql`${groups} ${joinAll}`)
    return treeOf(row?.groups ?? [])
  },

  /** The users who are in a group, or those who are not; null: there is no such group. */
  async members(groupId: number, are: 'in' | 'not in', nickname = ''): Promise<MemberList | null> {
    const membership = sql`exists (select from ${groupMembers}
      where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} = ${users.id})`
    const wanted = and(
      are === 'in' ? membership : sql`not ${membership}`,
      nickname === '' ? undefined : contains(users.nickname, nickname),
    )
    const [row] = await db
      .select({
        list: jsonObject<MemberList>({
          groupId: groups.id,
          groupName: groups.groupName,
          groupRemark: groups.remark,
          userList: sql`(select coalesce(json_agg(${member} order by ${users.id} desc), '[]'::json) from ${users} where ${wanted})`,
        }),
      })
      .from(groups)
      .where(eq(groups.id, groupId))
    return row?.list ?? null
  },
})
