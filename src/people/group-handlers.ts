import { permitGroups, permitMembers, permitNewGroup } from '../access/permits/groups.ts'
import { membersAmong } from '../access/permits/permit.ts'
import type { Principals } from '../access/principals.ts'
import { deleteRows, insertRow, updateRow } from '../access/rows.ts'
import type { Db, Tx } from '../db/client.ts'
import { requireExisting } from '../db/existing.ts'
import { requireNoChildren, requireRoomBelow } from '../db/hierarchy.ts'
import { inOrder } from '../db/in-order.ts'
import { newestFirst, newestFirstBy, type Page, pageOf } from '../db/paging.ts'
import { reasons as missing } from '../db/reasons.ts'
import { requireVersion } from '../db/record-versions.ts'
import type { Reading } from '../db/replica.ts'
import { itemOf, only } from '../db/request-fields.ts'
import { groups } from '../db/schema.ts'
import type { GroupsHandlers } from '../generated/directory.ts'
import { mirroredChange } from '../mirror/mirrored.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { type ListsHow, type Touched, touch, touchRearranged, touchSelected } from '../mirror/touch.ts'
import { groupColumns } from './group-fields.ts'
import { groupRecords, type Member, type MemberFilter } from './group-records.ts'
import {
  addMembers,
  beginGroupChange,
  lockGroup,
  lockGroups,
  membersOf,
  parentsOf,
  removeMembers,
  subtreeOf,
} from './group-writes.ts'
import { groupClashes } from './reasons.ts'
import { touchMemberLists } from './user-writes.ts'

/** The part of the room sync that is needed here. */
type RunHandlers = Extract<keyof GroupsHandlers, `sync${string}`>

export interface GroupsOptions {
  db: Db
  /** Of lists and the tree. */
  reading: Reading
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle'>
  principals: Principals
}

/** Groups, which are also the departments: a tree, and its members. */
export const groupsHandlers = (options: GroupsOptions): Omit<GroupsHandlers, RunHandlers> => {
  const { reading } = options
  const change = mirroredChange(options)

  return {
    async addGroup({ body: { groupType, parentId: parent, ...fields }, user }) {
      const parentId = parent === 0 ? null : parent
      const columns = { ...groupColumns(fields, groupType, parentId), groupType, parentId }
      return change(user, async (tx) => {
        if (parentId !== null) {
          await beginGroupChange(tx)
          await requireExisting(tx, 'group', [parentId], only('parentId'))
          await requireRoomBelow(tx, 'group', parentId)
        }
        const id = await insertRow(permitNewGroup(tx), groups, { ...columns, creator: user.username }, groupClashes)
        return { data: { id }, touched: await touch(tx, 'group', [id]) }
      })
    },

    async updateGroup({ body: { id, version, ...fields }, user }) {
      return change(user, async (tx) => {
        const group = await lockGroup(tx, id, 'id')
        await requireVersion(tx, 'group', id, version)
        const renamed = fields.groupName !== group.groupName
        const permit = await permitGroups(tx, user, {
          ids: [id],
          reach: renamed ? 'subtree' : 'no users',
          field: only('id'),
        })
        const columns = groupColumns(fields, group.groupType, group.parentId)
        await updateRow(permit, groups, id, columns, groupClashes)
        if (!renamed) return { data: null, touched: await touch(tx, 'group', [id]) }
        // The entries of its members contain the name, and so does the DN of every group below.
        const members = await touch(tx, 'user', await membersOf(tx, [id]))
        return { data: null, touched: [...members, ...(await touchSelected(tx, 'group', subtreeOf(id)))] }
      })
    },

    async deleteGroups({ body: { groupIds }, user }) {
      return change(user, async (tx) => {
        const field = itemOf('groupIds')
        const locked = await lockGroups(tx, groupIds, field)
        await requireNoChildren(tx, 'group', groupIds, field)
        const permit = await permitGroups(tx, user, { ids: groupIds, reach: 'members', field })
        const members = await membersOf(tx, groupIds)
        await deleteRows(permit, groups, groupIds)
        const touched = await touchRearranged(tx, {
          formerParents: parentsOf(locked),
          deleted: groupIds,
          people: members,
        })
        return { data: null, touched }
      })
    },

    async listGroups({ query }) {
      const page = pageOf(query)
      if (page !== null) return reading((at) => groupRecords(at).page(query, page))
      return { groups: newestFirst((before) => reading((at) => groupRecords(at).batch(query, before))) }
    },

    getGroupTree: () => reading((at) => groupRecords(at).tree()),

    async addGroupUsers({ body: { groupId, userIds }, user }) {
      return change(user, async (tx, _, claimEarly) => {
        const permit = await permitMembers(tx, user, userIds, itemOf('userIds'))
        const members = new Set(membersAmong(permit, groupId))
        const joining = [...new Set(userIds)].filter((id) => !members.has(id))
        const [added, touched] = await inOrder(
          () => addMembers(permit, groupId),
          () => touchMembership(tx, groupId, joining, { joined: joining }),
          () => claimEarly({ user: joining, group: joining.length > 0 ? [groupId] : [] }),
        )
        // Whose membership was ended meanwhile.
        const others = added.filter((id) => members.has(id))
        return {
          data: null,
          touched: [...touched, ...(await touchMembership(tx, groupId, others, { joined: others }))],
        }
      })
    },

    async removeGroupUsers({ body: { groupId, userIds }, user }) {
      return change(user, async (tx, _, claimEarly) => {
        const permit = await permitMembers(tx, user, userIds, itemOf('userIds'))
        const members = new Set(membersAmong(permit, groupId))
        const leaving = [...new Set(userIds)].filter((id) => members.has(id))
        const [removed, touched] = await inOrder(
          () => removeMembers(permit, groupId),
          () => touchMembership(tx, groupId, leaving, { withdraws: true }),
          () => claimEarly({ user: leaving, group: leaving.length > 0 ? [groupId] : [] }),
        )
        // Who became a member meanwhile.
        const others = removed.filter((id) => !members.has(id))
        return {
          data: null,
          touched: [...touched, ...(await touchMembership(tx, groupId, others, { withdraws: true }))],
        }
      })
    },

    listUsersInGroup: ({ query }) => membersBy(reading, { ...query, are: 'in' }, pageOf(query)),
    listUsersNotInGroup: ({ query }) => membersBy(reading, { ...query, are: 'not in' }, pageOf(query)),
  }
}

/** Both entries show a membership: the user names the department, the group lists the member. */
const touchMembership = async (
  tx: Tx,
  groupId: number,
  userIds: readonly number[],
  how: ListsHow = {},
): Promise<Touched[]> => {
  if (userIds.length === 0) return []
  // Rows of people are locked before rows of groups.
  const [members, lists] = await inOrder(
    () => touch(tx, 'user', userIds),
    () => touchMemberLists(tx, [groupId], { about: userIds, ...how }),
  )
  return [...members, ...lists]
}

/** A page of them, or all as they are read. */
const membersBy = async (reading: Reading, filter: MemberFilter, page: Page | null) => {
  const { groupId } = filter
  const found = await reading((at) => groupRecords(at).members(filter, page))
  if (found === null) throw missing.group_not_found.at('groupId', { id: groupId })
  const { page: list, ...group } = found
  if (list !== null) return { ...group, ...list }
  const userList = newestFirstBy<Member>(
    ({ userId }) => userId,
    (before) => reading((at) => groupRecords(at).memberBatch(filter, before)),
  )
  return { ...group, userList }
}
