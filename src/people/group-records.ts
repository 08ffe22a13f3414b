import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { pick } from '../collections/pick.ts'
import type { Db } from '../db/client.ts'
import { instantText, jsonObject, written } from '../db/json-record.ts'
import { contains } from '../db/like.ts'
import { numberedPage } from '../db/numbered-page.ts'
import { batchSize, type Page } from '../db/paging.ts'
import { groupMembers, groups, users } from '../db/schema.ts'
import { type GroupField, groupFieldNames, type SearchedGroupField, searchedGroupFields } from '../db/tables/fields.ts'
import { type TreeNode, treeOf } from '../db/tree.ts'
import type { components, operations } from '../generated/directory.types.ts'
import { directoryFields, hasSyncState, joinDirectoryEntry, syncStated } from '../mirror/record-sql.ts'
import type { Within } from './within.ts'

export type GroupRecord = components['schemas']['Group']
type MemberList = components['schemas']['MemberList']
export type Member = components['schemas']['Member']

type Query = NonNullable<operations['listGroups']['parameters']['query']>

/** An empty text filters nothing. */
export type GroupFilter = Omit<Query, 'pageNum' | 'pageSize'>

export interface GroupPage {
  total: number
  groups: GroupRecord[]
}

const record = written(
  jsonObject<GroupRecord>({
    id: groups.id,
    ...pick(groups, groupFieldNames satisfies readonly Within<keyof GroupRecord, GroupField>[]),
    groupType: groups.groupType,
    parentId: sql`coalesce(${groups.parentId}, 0)`,
    groupDn: directoryFields.dn,
    memberCount: sql`${groups}.members`,
    source: groups.source,
    sourceDeptId: groups.sourceDeptId,
    sourceDeptParentId: groups.sourceDeptParentId,
    syncState: directoryFields.syncState,
    syncError: directoryFields.syncError,
    syncStated,
    creator: groups.creator,
    createdAt: instantText(groups.createdAt),
    updatedAt: instantText(groups.updatedAt),
  }),
)

const joinAll = written(joinDirectoryEntry('group', groups.id))

/** Groups with the sizes of the groups that the second query has a row for. */
const joinSizes = (selected: SQL, counted: SQL): SQL => sql`(
  with selected as (${selected})
  select selected.*, coalesce(sizes.members, 0) as members
  from selected left join (
    select ${groupMembers.groupId} as group_id, count(*)::int as members from ${counted} group by ${groupMembers.groupId}
  ) as sizes on sizes.group_id = selected.id
) as ${groups} ${joinAll}`

/**
 * The groups that a query selects, with their numbers of members. They are counted together: for single groups the
 * planner may read all memberships each time, where it assumes that one group has nearly all of them.
 */
const withSizes = (selected: SQL): SQL =>
  joinSizes(selected, sql`${groupMembers} where ${groupMembers.groupId} in (select id from selected)`)

/** All groups, with their numbers of members. Memberships are not looked up in the selection, which takes as long as counting. */
const allWithSizes = joinSizes(sql`select * from ${groups}`, sql`${groupMembers}`)

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

const newestMembers = written(sql<Member[]>`coalesce(json_agg(${member} order by ${users.id} desc), '[]'::json)`)

/** An empty text filters nothing. */
export interface MemberFilter {
  groupId: number
  are: 'in' | 'not in'
  nickname?: string
  /** Part of the username, the nickname or the mail address. */
  search?: string
}

interface MembersHead extends Pick<MemberList, 'groupId' | 'groupName' | 'groupRemark'> {
  page: { total: number; userList: Member[] } | null
}

type Exact = Exclude<keyof GroupFilter, Within<keyof GroupFilter, SearchedGroupField>>

/** The filters that are not compared as parts of a text. */
const exact: Readonly<Record<Exact, (value: number) => SQL>> = {
  syncState: (syncState) => hasSyncState('group', groups.id, syncState),
}

const exactNames = Object.keys(exact) as Exact[]

const where = (filter: GroupFilter, ...more: SQL[]): SQL => {
  const parts = searchedGroupFields.flatMap((name) => (filter[name] ? [contains(groups[name], filter[name])] : []))
  const others = exactNames.flatMap((name) => (filter[name] === undefined ? [] : [exact[name](filter[name])]))
  return sql`where ${and(sql`true`, ...parts, ...others, ...more)}`
}

const newest = written(sql<GroupRecord[]>`coalesce(json_agg(${record} order by ${groups.id} desc), '[]'::json)`)

/** Reads groups in the shape of the contract. */
export const groupRecords = (db: Db) => ({
  /** A page of those that pass the filter, newest first, and how many there are on all pages. */
  async page(filter: GroupFilter, page: Page): Promise<GroupPage> {
    const list = jsonObject<GroupPage>({ total: sql`(select total from counted)`, groups: newest })
    const [row] = await db.execute<{ page: GroupPage }>(sql`
      with ${numberedPage(groups, where(filter), page)} select ${list} as page from ${withSizes(sql`select * from page`)}`)
    return row?.page ?? { total: 0, groups: [] }
  },

  /** Those that pass the filter and have an id below `before`, newest first, at most a batch. */
  async batch(filter: GroupFilter, before: number): Promise<GroupRecord[]> {
    const wanted = where(filter, lt(groups.id, before))
    const [row] = await db
      .select({ groups: newest })
      .from(withSizes(sql`select * from ${groups} ${wanted} order by ${groups.id} desc limit ${batchSize}`))
    return row?.groups ?? []
  },

  /** All groups, oldest first, each under its parent. */
  async tree(): Promise<TreeNode<GroupRecord>[]> {
    const [row] = await db
      .select({ groups: sql<GroupRecord[]>`coalesce(json_agg(${record} order by ${groups.id}), '[]'::json)` })
      .from(allWithSizes)
    return treeOf(row?.groups ?? [])
  },

  /**
   * The users who are in a group, or those who are not: a page of them, or none of them yet; null: the group does not
   * exist.
   */
  async members(filter: MemberFilter, page: Page | null): Promise<MembersHead | null> {
    const { groupId } = filter
    const [group] = await db
      .select({ groupId: groups.id, groupName: groups.groupName, groupRemark: groups.remark })
      .from(groups)
      .where(eq(groups.id, groupId))
    if (group === undefined) return null
    return { ...group, page: page && (await memberPage(db, membersWanted(filter), page)) }
  },

  /** Those of them who have an id below `before`, newest first, at most a batch. */
  async memberBatch(filter: MemberFilter, before: number): Promise<Member[]> {
    const batch = sql`(select * from ${users} where ${and(membersWanted(filter), lt(users.id, before))}
      order by ${users.id} desc limit ${batchSize}) as ${users}`
    const [row] = await db.select({ list: newestMembers }).from(batch)
    return row?.list ?? []
  },
})

const membersWanted = ({ groupId, are, nickname, search }: MemberFilter): SQL | undefined => {
  const membership = sql`exists (select from ${groupMembers}
    where ${groupMembers.groupId} = ${groupId} and ${groupMembers.userId} = ${users.id})`
  return and(
    are === 'in' ? membership : sql`not ${membership}`,
    nickname ? contains(users.nickname, nickname) : undefined,
    search
      ? or(contains(users.username, search), contains(users.nickname, search), contains(users.mail, search))
      : undefined,
  )
}

const memberPage = async (
  db: Db,
  wanted: SQL | undefined,
  page: Page,
): Promise<{ total: number; userList: Member[] }> => {
  const list = jsonObject<{ total: number; userList: Member[] }>({
    total: sql`(select total from counted)`,
    userList: newestMembers,
  })
  const [row] = await db.execute<{ page: { total: number; userList: Member[] } }>(sql`
    with ${numberedPage(users, sql`where ${wanted}`, page)} select ${list} as page from page as ${users}`)
  return row?.page ?? { total: 0, userList: [] }
}
