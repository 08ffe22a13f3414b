import type { Principal } from '../contract/handler.ts'
import type { Db } from '../db/client.ts'
import { users } from '../db/schema.ts'
import { AppError, fieldError } from '../errors.ts'
import type { UsersHandlers } from '../generated/directory.ts'
import type { Reconciler } from '../ldap/reconciler.ts'
import { touch, touchDeleted } from '../ldap/touch.ts'
import type { Runs } from '../sync/runs.ts'
import type { Slot, Sync } from '../sync/sync.ts'
import { requireExisting } from './existing.ts'
import { mirroredChange } from './mirrored.ts'
import { pageOf } from './paging.ts'
import { passwordProof } from './password-proof.ts'
import type { Passwords } from './passwords.ts'
import type { Principals } from './principals.ts'
import { itemOf, only } from './request-fields.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import {
  isAdministrator,
  lockUser,
  lockUsers,
  requireAdministratorLeft,
  requireGrantable,
  requireMayReaddress,
  requireStronger,
} from './seniority.ts'
import { endSessions } from './sessions.ts'
import { comparing } from './sync-runs.ts'
import type { Throttle } from './throttle.ts'
import { newUserColumns, userColumns } from './user-fields.ts'
import { userRecords } from './user-records.ts'
import { groupsListing, replaceMemberships, replacePassword, replaceRoles, touchMemberLists } from './user-writes.ts'

export interface UsersOptions {
  db: Db
  reconciler: Pick<Reconciler, 'settle' | 'synchronize'>
  passwords: Passwords
  principals: Principals
  throttle: Throttle
  runs: Runs
  sync: Sync
}

/** People: who they are, what they may, where they belong. Their passwords go in and never come out. */
export const usersHandlers = (options: UsersOptions): UsersHandlers => {
  const { db, reconciler, passwords, runs, sync } = options
  const records = userRecords(db)
  const change = mirroredChange(options)
  const prove = passwordProof(options)

  const syncing =
    (slot: Slot) =>
    ({ user }: { user: Principal }) =>
      sync.run({ slot, kind: 'users', dryRun: false, creator: user.username })

  return {
    async addUser({ body, user }) {
      const columns = { ...newUserColumns(body), status: body.status ?? 1, creator: user.username }
      const sealed = body.password ? await passwords.seal(passwords.acceptNew('password', body.password)) : {}
      return change(async (tx) => {
        await requireGrantable(tx, user, body.roleIds, null)
        await requireExisting(tx, 'group', body.departmentId, itemOf('departmentId'))
        const id = await insertRow(tx, users, { ...columns, ...sealed })
        await replaceRoles(tx, id, body.roleIds)
        const joined = await replaceMemberships(tx, id, body.departmentId)
        return { data: { id }, touched: [...(await touch(tx, 'user', [id])), ...(await touchMemberLists(tx, joined))] }
      })
    },

    async updateUser({ body, user }) {
      const { id, departmentId, roleIds } = body
      const columns = userColumns(body)
      return change(async (tx) => {
        const target = await lockUser(tx, id)
        await requireStronger(tx, user, [target], only('id'))
        await requireMayReaddress(tx, user, target, columns.mail)
        await requireGrantable(tx, user, roleIds, id)
        await requireExisting(tx, 'group', departmentId, itemOf('departmentId'))
        const renamed = columns.username !== undefined && columns.username !== target.username
        const naming = renamed ? await groupsListing(tx, [id]) : []
        await updateRow(tx, users, id, columns)
        const regranted = await replaceRoles(tx, id, roleIds)
        if (regranted && isAdministrator(target)) await requireAdministratorLeft(tx)
        const moved = await replaceMemberships(tx, id, departmentId)
        const itself = await touch(tx, 'user', [id])
        const lists = await touchMemberLists(tx, [...naming, ...moved])
        return { data: null, touched: [...itself, ...lists], callers: { userIds: [id] } }
      })
    },

    async deleteUsers({ body: { userIds }, user }) {
      const field = itemOf('userIds')
      return change(async (tx) => {
        const targets = await lockUsers(tx, userIds, field)
        const self = userIds.indexOf(user.userId)
        if (self >= 0) throw fieldError('forbidden', field(self), 'you cannot delete yourself')
        await requireStronger(tx, user, targets, field)
        const naming = await groupsListing(tx, userIds)
        await deleteRows(tx, users, userIds)
        if (targets.some(isAdministrator)) await requireAdministratorLeft(tx)
        const gone = await touchDeleted(tx, 'user', userIds)
        return { data: null, touched: [...gone, ...(await touchMemberLists(tx, naming))], callers: { userIds } }
      })
    },

    async listUsers({ query }) {
      const page = pageOf(query)
      return page === null ? { users: records.all(query) } : records.page(query, page)
    },

    async getUserInfo({ user }) {
      const record = await records.find(user.userId)
      if (record === null) throw new AppError('unauthenticated', 'This user does not exist any more')
      return record
    },

    async changeOwnPassword({ body, user, request }) {
      const next = passwords.acceptNew('newPassword', body.newPassword)
      const oldHash = await prove({ user, request }, 'oldPassword', body.oldPassword)
      const sealed = await passwords.seal(next)
      const userIds = [user.userId]
      return change(async (tx) => {
        if (!(await replacePassword(tx, user.userId, oldHash, sealed))) {
          throw new AppError('conflict', 'Your password was changed by somebody else just now')
        }
        await endSessions(tx, userIds, 'password')
        return { data: null, touched: await touch(tx, 'user', userIds), callers: { userIds } }
      })
    },

    async changeUserStatus({ body: { id, status }, user }) {
      if (status === 2 && id === user.userId) throw fieldError('forbidden', 'id', 'you cannot disable yourself')
      return change(async (tx) => {
        const target = await lockUser(tx, id)
        await requireStronger(tx, user, [target], only('id'))
        await updateRow(tx, users, id, { status })
        if (isAdministrator(target)) await requireAdministratorLeft(tx)
        if (status === 2) await endSessions(tx, [id], 'disabled')
        const moved = await touch(tx, 'user', [id])
        const lists = await touchMemberLists(tx, await groupsListing(tx, [id]))
        return { data: null, touched: [...moved, ...lists], callers: { userIds: [id] } }
      })
    },

    async syncSqlUsers({ body, user }) {
      const userIds = [...new Set(body.userIds)]
      await db.transaction((tx) => requireExisting(tx, 'user', body.userIds, itemOf('userIds')))
      return runs.report({ source: 'sql', kind: 'users', exclusive: false, creator: user.username }, () =>
        comparing(reconciler, 'user', userIds),
      )
    },

    syncExtAUsers: syncing('exta'),
    syncExtBUsers: syncing('extb'),
    syncExtCUsers: syncing('extc'),
    syncExtLdapUsers: syncing('extldap'),
  }
}
