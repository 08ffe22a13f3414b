import type { Principal } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import { groups } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import type { GroupsHandlers } from '../generated/directory.ts'
import type { Reconciler } from '../ldap/reconciler.ts'
import { type Touched, touch, touchDeleted, touchSelected } from '../ldap/touch.ts'
import type { Runs } from '../sync/runs.ts'
import type { Slot, Sync } from '../sync/sync.ts'
import { requireExisting } from './existing.ts'
import { nameColumns, requireGroupType } from './group-fields.ts'
import { groupRecords, type MemberList } from './group-records.ts'
import { addMembers, lockGroup, lockGroups, membersOf, removeMembers, subtreeOf } from './group-writes.ts'
import { requireNoChildren, requireRoomBelow } from './hierarchy.ts'
import { mirroredChange } from './mirrored.ts'
import { pageOf } from './paging.ts'
import type { Principals } from './principals.ts'
import { itemOf, only } from './request-fields.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import { rankedUsers, requireStronger } from './seniority.ts'
import { comparing } from './sync-runs.ts'
import { touchMemberLists } from './user-writes.ts'

export interface GroupsOptions {
  db: Db
  reconciler: Pick<Reconciler, 'settle' | 'synchronize'>
  principals: Principals
  runs: Runs
  sync: Sync
}

/** Where somebody belongs decides what applications let him do, so it is as much a change of him as any other. */
const requireMembersWeaker = async (tx: Tx, actor: Principal, userIds: readonly number[]): Promise<void> => {
  const field = itemOf('userIds')
  await requireStronger(tx, actor, await rankedUsers(tx, userIds, field), field)
}

/** Groups, which are the departments too: a tree of names, and who is in them. */
export const groupsHandlers = (options: GroupsOptions): GroupsHandlers => {
  const { db, reconciler, runs, sync } = options
  const records = groupRecords(db)
  const change = mirroredChange(options)

  const syncing =
    (slot: Slot) =>
    ({ user }: { user: Principal }) =>
      sync.run({ slot, kind: 'groups', dryRun: false, creator: user.username })

  return {
    async addGroup({ body, user }) {
      const { groupName, groupType, remark = '' } = body
      const parentId = body.parentId === 0 ? null : body.parentId
      requireGroupType(groupType)
      const columns = { ...nameColumns(groupName, groupType, parentId), groupType, parentId, remark }
      return change(async (tx) => {
        if (parentId !== null) {
          await requireExisting(tx, 'group', [parentId], only('parentId'))
          await requireRoomBelow(tx, 'group', parentId)
        }
        const id = await insertRow(tx, groups, { ...columns, creator: user.username })
        return { data: { id }, touched: await touch(tx, 'group', [id]) }
      })
    },

    async updateGroup({ body: { id, groupName, remark } }) {
      return change(async (tx) => {
        const group = await lockGroup(tx, id, 'id')
        await updateRow(tx, groups, id, {
          ...nameColumns(groupName, group.groupType, group.parentId),
          ...(remark !== undefined && { remark }),
        })
        if (groupName === group.groupName) return { data: null, touched: await touch(tx, 'group', [id]) }
        // The name is in the entries of its members, and in the DN of every group below.
        const members = await touch(tx, 'user', await membersOf(tx, [id]))
        return { data: null, touched: [...members, ...(await touchSelected(tx, 'group', subtreeOf(id)))] }
      })
    },

    async deleteGroups({ body: { groupIds } }) {
      return change(async (tx) => {
        await lockGroups(tx, groupIds, itemOf('groupIds'))
        await requireNoChildren(tx, 'group', groupIds, itemOf('groupIds'))
        const members = await membersOf(tx, groupIds)
        await deleteRows(tx, groups, groupIds)
        const untied = await touch(tx, 'user', members)
        return { data: null, touched: [...untied, ...(await touchDeleted(tx, 'group', groupIds))] }
      })
    },

    async listGroups({ query }) {
      const page = pageOf(query)
      return page === null ? { groups: records.all(query) } : records.page(query, page)
    },

    getGroupTree: () => records.tree(),

    async addGroupUsers({ body: { groupId, userIds }, user }) {
      return change(async (tx) => {
        await requireExisting(tx, 'group', [groupId], only('groupId'))
        await requireExisting(tx, 'user', userIds, itemOf('userIds'))
        await requireMembersWeaker(tx, user, userIds)
        return { data: null, touched: await touchMembership(tx, groupId, await addMembers(tx, groupId, userIds)) }
      })
    },

    async removeGroupUsers({ body: { groupId, userIds }, user }) {
      return change(async (tx) => {
        await requireExisting(tx, 'group', [groupId], only('groupId'))
        await requireExisting(tx, 'user', userIds, itemOf('userIds'))
        await requireMembersWeaker(tx, user, userIds)
        return { data: null, touched: await touchMembership(tx, groupId, await removeMembers(tx, groupId, userIds)) }
      })
    },

    async listUsersInGroup({ query: { groupId, nickname } }) {
      return known(groupId, await records.members(groupId, 'in', nickname))
    },

    async listUsersNotInGroup({ query: { groupId, nickname } }) {
      return known(groupId, await records.members(groupId, 'not in', nickname))
    },

    async syncSqlGroups({ body, user }) {
      const groupIds = 'groupIds' in body ? body.groupIds : undefined
      const run = { source: 'sql', kind: 'groups', creator: user.username } as const
      if (groupIds === undefined) {
        return runs.report({ ...run, exclusive: true }, () => comparing(reconciler, 'group', 'all'))
      }
      await db.transaction((tx) => requireExisting(tx, 'group', groupIds, itemOf('groupIds')))
      return runs.report({ ...run, exclusive: false }, () => comparing(reconciler, 'group', [...new Set(groupIds)]))
    },

    syncExtADepts: syncing('exta'),
    syncExtBDepts: syncing('extb'),
    syncExtCDepts: syncing('extc'),
    syncExtLdapDepts: syncing('extldap'),
  }
}

/** Both sides show a membership: the user names the department, the group lists the member. */
const touchMembership = async (tx: Tx, groupId: number, userIds: readonly number[]): Promise<Touched[]> => {
  if (userIds.length === 0) return []
  const members = await touch(tx, 'user', userIds)
  return [...members, ...(await touchMemberLists(tx, [groupId]))]
}

const known = (groupId: number, list: MemberList | null): MemberList => {
  if (list === null) throw fieldError('not_found', 'groupId', `there is no group ${groupId}`)
  return list
}
