import { enabledAmong, groupsAmong, type RolesOfUserPermit } from '../access/permits/permit.ts'
import {
  isOtherMail,
  permitMade,
  permitNewUser,
  permitOwn,
  permitRolesOf,
  permitUser,
  permitUsers,
  requireMayChangeSource,
  requireMayReaddress,
} from '../access/permits/users.ts'
import type { Principals } from '../access/principals.ts'
import { insertReserved, reservedIds } from '../access/rows.ts'
import { endStepUps, requirePresentFactor } from '../access/step-up.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { endMailedCodes } from '../auth/mail-codes.ts'
import { passwordProof } from '../auth/password-proof.ts'
import { replacePassword } from '../auth/password-writes.ts'
import type { Passwords } from '../auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Db } from '../db/client.ts'
import { inOrder } from '../db/in-order.ts'
import { newestFirst, pageOf } from '../db/paging.ts'
import { perDatabase } from '../db/per-database.ts'
import { requireVersion } from '../db/record-versions.ts'
import type { Reading } from '../db/replica.ts'
import { itemOf } from '../db/request-fields.ts'
import { users } from '../db/schema.ts'
import type { UsersHandlers } from '../generated/directory.ts'
import { mirroredChange } from '../mirror/mirrored.ts'
import { storeHashes } from '../mirror/passwords/other-hashes.ts'
import type { Reconciler } from '../mirror/reconciler.ts'
import { touch, touchDeleted } from '../mirror/touch.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import { movedMessage } from './moved-mail.ts'
import { reasons, userClashes } from './reasons.ts'
import { newUserColumns, userColumns } from './user-fields.ts'
import { userRecords } from './user-records.ts'
import {
  changeStatus,
  deleteUsers,
  insertMemberships,
  replaceMemberships,
  replaceRoles,
  saysGroupNames,
  touchListsWith,
  touchMemberLists,
  updateUser,
} from './user-writes.ts'

/** The part of the room sync that is needed here. */
type RunHandlers = Extract<keyof UsersHandlers, `sync${string}`>

export interface UsersOptions {
  db: Db
  /** Of lists. */
  reading: Reading
  reconciler: Pick<Reconciler, 'earlyClaim' | 'settle'>
  passwords: Passwords
  principals: Principals
  throttle: Throttle
  outbox: Outbox
  mobileKey: MobileKey
}

/** People: their data, permissions and groups. Passwords are accepted but never returned. */
export const usersHandlers = (options: UsersOptions): Omit<UsersHandlers, RunHandlers> => {
  const { db, reading, passwords, outbox, mobileKey } = options
  const recordsOn = perDatabase(userRecords)
  const change = mirroredChange(options)
  const prove = passwordProof(options)
  const newIds = reservedIds(users)

  return {
    async addUser({ body: { departmentId, roleIds, password, status = 1, ...fields }, user }) {
      const columns = { ...newUserColumns(fields, mobileKey), status, creator: user.username }
      const { hashes = {}, ...sealed } = password
        ? await passwords.seal(passwords.acceptNew('password', password, fields.username))
        : {}
      const known = roleIds.length === 0 && !fields.departments ? newIds.take() : null
      return change(user, async (tx, _, claimEarly) => {
        const creation = permitNewUser(tx)
        const ask = () =>
          inOrder(
            () => permitRolesOf(tx, user, roleIds, null),
            () => saysGroupNames(tx, fields.departments, { userId: null, groupIds: departmentId }),
            () => newIds.reserve(tx, known),
          )
        const add = async (id: number, grants: RolesOfUserPermit | null, derived: boolean) => {
          const row = { ...columns, ...sealed, ...(derived && { departments: '' }), id }
          const permit = permitMade(creation, id)
          // Rows of people are locked before rows of groups.
          const [, , , , itself, lists] = await inOrder(
            () => insertReserved(creation, users, row, userClashes),
            () => storeHashes(tx, [{ id, hashes }]),
            async () => grants !== null && roleIds.length > 0 && replaceRoles(permit, id, grants),
            () => insertMemberships(permit, id, departmentId, itemOf('departmentId')),
            () => touch(tx, 'user', [id]),
            () => touchMemberLists(tx, departmentId, { joined: [id] }),
            () => claimEarly({ user: [id], group: departmentId, locksNoMore: true }),
          )
          return { data: { id }, touched: [...itself, ...lists] }
        }
        if (known !== null) {
          const [, made] = await inOrder(ask, () => add(known, null, false))
          return made
        }
        const [grants, derived, id] = await ask()
        // Otherwise a token alone could create an administrator with the attacker's second factor.
        if (grants.makesAdministrator) await requirePresentFactor(tx, user)
        return add(id, grants, derived)
      })
    },

    async updateUser({ body: { id, departmentId, roleIds, version, ...fields }, user }) {
      const columns = userColumns(fields, mobileKey)
      return change(user, async (tx, announce, claimEarly) => {
        const [permit, , grants, derived] = await inOrder(
          () => permitUser(tx, user, id, roleIds),
          () => requireVersion(tx, 'user', id, version),
          () => permitRolesOf(tx, user, roleIds, id),
          () => saysGroupNames(tx, fields.departments, { userId: id, groupIds: departmentId }),
        )
        const target = permit.user
        const readdressed = isOtherMail(target, columns.mail)
        await requireMayReaddress(permit, user, target, columns.mail)
        await requireMayChangeSource(permit, user, target, columns.source)
        // A new password and a second factor are mailed to this address.
        if (readdressed || grants.makesAdministrator) await requirePresentFactor(tx, user)
        const renamed = columns.username !== undefined && columns.username !== target.username
        const naming = renamed ? target.groupIds : []
        const by = id === user.userId ? 'the person' : 'an administrator'
        const [, , , , , { left, joined }, itself] = await inOrder(
          // Before the change: it is sent to the earlier address.
          async () => readdressed && outbox.mail(tx, id, movedMessage(target.username, columns.mail ?? '', by)),
          () => updateUser(permit, id, { ...columns, ...(derived && { departments: '' }) }),
          async () => readdressed && endMailedCodes(tx, [id]),
          async () => readdressed && endStepUps(tx, [id], user.sessionId),
          () => replaceRoles(permit, id, grants),
          () => replaceMemberships(permit, id, departmentId, itemOf('departmentId')),
          () => touch(tx, 'user', [id]),
          () => claimEarly({ user: [id], group: [] }),
          () => announce({ userIds: [id] }),
        )
        // No entry lists a disabled person.
        const lists = target.status === 1 ? [...naming, ...left, ...joined] : []
        const about = renamed ? [] : [id]
        const marked = await touchMemberLists(tx, lists, { withdraws: left, joined: about, about })
        return { data: null, touched: [...itself, ...marked] }
      })
    },

    async deleteUsers({ body: { userIds }, user }) {
      const field = itemOf('userIds')
      return change(user, async (tx, announce, claimEarly) => {
        const self = userIds.indexOf(user.userId)
        if (self >= 0) throw reasons.cannot_delete_self.at(field(self))
        const permit = await permitUsers(tx, user, userIds, field)
        const listed = enabledAmong(permit)
        const naming = groupsAmong(permit, listed)
        const [gone, lists] = await inOrder(
          () => touchDeleted(tx, 'user', userIds),
          () => touchListsWith(tx, listed, naming),
          () => deleteUsers(permit),
          () => claimEarly({ user: userIds, group: naming }),
          () => announce({ userIds }),
        )
        return { data: null, touched: [...gone, ...lists] }
      })
    },

    async listUsers({ query }) {
      const page = pageOf(query)
      if (page !== null) return reading((at) => recordsOn(at).page(query, page))
      return { users: newestFirst((before) => reading((at) => recordsOn(at).batch(query, before))) }
    },

    async getUserInfo({ user }) {
      const record = await recordsOn(db).find(user.userId)
      if (record === null) throw reasons.user_gone()
      return record
    },

    async changeOwnPassword({ body, user, request }) {
      const next = passwords.acceptNew('newPassword', body.newPassword, user.username)
      const oldHash = await prove({ user, request }, 'oldPassword', body.oldPassword)
      const sealed = await passwords.seal(next)
      const userIds = [user.userId]
      return change(user, async (tx) => {
        const permit = permitOwn(tx, user.userId, 'a session')
        if (!(await replacePassword(permit, user.userId, oldHash, sealed))) {
          throw reasons.password_changed()
        }
        await endSessions(permit, userIds, 'password')
        return { data: null, touched: await touch(tx, 'user', userIds, { withdraws: true }), callers: { userIds } }
      })
    },

    async changeUserStatus({ body: { id, status }, user }) {
      if (status === 2 && id === user.userId) throw reasons.cannot_disable_self.at('id')
      return change(user, async (tx, announce, claimEarly) => {
        const permit = await permitUser(tx, user, id)
        if (status === 1 && permit.administrators) await requirePresentFactor(tx, user)
        // The groups are read when the row in the ledger is locked: who joins one after that marks it.
        const [, , moved, lists] = await inOrder(
          () => changeStatus(permit, id, status),
          async () => status === 2 && endSessions(permit, [id], 'disabled'),
          () => touch(tx, 'user', [id]),
          () => touchListsWith(tx, [id]),
          () => claimEarly({ user: [id], group: permit.user.groupIds, locksNoMore: !permit.administrators }),
          () => announce({ userIds: [id] }),
        )
        return { data: null, touched: [...moved, ...lists] }
      })
    },
  }
}
