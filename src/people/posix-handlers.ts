import { sql } from 'drizzle-orm'
import { permitGroups } from '../access/permits/groups.ts'
import { permitUser } from '../access/permits/users.ts'
import { updateRow } from '../access/rows.ts'
import { requireHighestRank } from '../access/seniority.ts'
import { requireStepUp } from '../access/step-up.ts'
import type { Principal } from '../contract/handler.ts'
import type { Db, Tx } from '../db/client.ts'
import { takeLock } from '../db/locks.ts'
import { reasons as missing } from '../db/reasons.ts'
import { only } from '../db/request-fields.ts'
import { groupMembers, groups, posixNumbers, users } from '../db/schema.ts'
import type { DepartmentsHandlers, PeopleHandlers } from '../generated/operations.ts'
import type { DirectorySettings } from '../mirror/entry/directory-settings.ts'
import { accountOf, isAccountName, isGroupWanted, isWanted, type PosixSettings } from '../mirror/entry/posix.ts'
import { importNumbers, isUsable } from '../mirror/ledger/posix-numbers.ts'
import { type MirroredOptions, mirroredChange } from '../mirror/mirrored.ts'
import { type RecordKind, touch } from '../mirror/touch.ts'
import { lockGroup, membersOf } from './group-writes.ts'
import { reasons } from './reasons.ts'

export interface PosixOptions extends MirroredOptions {
  db: Db
  config: Pick<DirectorySettings, 'posix'>
}

type PersonOperations = Pick<PeopleHandlers, 'getPersonPosix' | 'setPersonPosix'>
type GroupOperations = Pick<DepartmentsHandlers, 'getDepartmentPosix' | 'setDepartmentPosix'>

/** @throws AppError (not_found) where POSIX accounts are off */
const requireOn = (posix: PosixSettings | null): PosixSettings => {
  if (posix === null) throw reasons.posix_off()
  return posix
}

/** @throws AppError (invalid, conflict) naming `number`: numbers are stable for ever */
const setNumber = async (tx: Tx, kind: RecordKind, id: number, number: number, user: Principal): Promise<void> => {
  await requireHighestRank(tx, user)
  await requireStepUp(tx, user)
  if (!isUsable(number)) throw reasons.posix_number_reserved.at('number')
  await takeLock(tx, 'posixNumbers')
  const numberOf = async (): Promise<number | null> => {
    const [row] = await tx.execute<{ number: string }>(sql`
      select number from ${posixNumbers} where kind = ${kind} and record_id = ${id}`)
    return row === undefined ? null : Number(row.number)
  }
  const present = await numberOf()
  if (present === number) return
  if (present !== null) throw reasons.posix_number_kept.at('number', { number: present })
  await importNumbers(tx, kind, [{ id, number }])
  if ((await numberOf()) !== number) throw reasons.posix_number_taken.at('number')
}

/** POSIX_ACCOUNTS; without accounts there can still be POSIX groups, by LDAP_GROUP_CLASS. */
const accountsOf = (posix: PosixSettings | null): 'off' | 'groups' | 'all' =>
  posix === null || posix.accounts === 'none' ? 'off' : posix.accounts

/** The POSIX accounts of people. */
export const personPosixHandlers = (options: PosixOptions): PersonOperations => {
  const { db, config } = options
  const change = mirroredChange(options)
  return {
    async getPersonPosix({ params: { id } }) {
      const { posix } = config
      const accounts = accountsOf(posix)
      const [row] = await db.execute<{ username: string; nickname: string; number: string | null; on: boolean }>(sql`
        select u.username, u.nickname, n.number, exists (
          select from ${groupMembers} m join ${groups} g on g.id = m.group_id
          where m.user_id = u.id and g.posix and g.group_type = 'cn') as on
        from ${users} u left join ${posixNumbers} n on n.kind = 'user' and n.record_id = u.id where u.id = ${id}`)
      if (row === undefined) throw missing.user_not_found.at('id', { id })
      const number = row.number === null ? null : Number(row.number)
      const enabled = isWanted(posix, { switchedOn: row.on, number }) && isAccountName(row.username)
      if (posix !== null && accounts !== 'off' && number !== null) {
        return { accounts, enabled, ...accountOf(posix, row, number) }
      }
      return { accounts, enabled, uidNumber: '', gidNumber: '', homeDirectory: '', loginShell: '', gecos: '' }
    },

    async setPersonPosix({ params: { id }, body: { number }, user }) {
      requireOn(config.posix)
      return change(user, async (tx) => {
        await permitUser(tx, user, id)
        await setNumber(tx, 'user', id, number, user)
        return { data: null, touched: await touch(tx, 'user', [id]) }
      })
    },
  }
}

/** The POSIX groups of departments and groups. */
export const groupPosixHandlers = (options: PosixOptions): GroupOperations => {
  const { db, config } = options
  const change = mirroredChange(options)
  return {
    async getDepartmentPosix({ params: { id } }) {
      const { posix } = config
      const [row] = await db.execute<{ on: boolean; type: string; number: string | null }>(sql`
        select g.posix as on, g.group_type as type, n.number
        from ${groups} g left join ${posixNumbers} n on n.kind = 'group' and n.record_id = g.id where g.id = ${id}`)
      if (row === undefined) throw missing.group_not_found.at('id', { id })
      const enabled = row.type === 'cn' && isGroupWanted(posix, { switchedOn: row.on, number: null })
      return { accounts: accountsOf(posix), switchedOn: row.on, enabled, gidNumber: row.number ?? '' }
    },

    async setDepartmentPosix({ params: { id }, body: { enabled, number }, user }) {
      requireOn(config.posix)
      return change(user, async (tx) => {
        await lockGroup(tx, id, 'id')
        const permit = await permitGroups(tx, user, { ids: [id], reach: 'members', field: only('id') })
        await updateRow(permit, groups, id, enabled === undefined ? {} : { posix: enabled }, {})
        if (number !== undefined) await setNumber(tx, 'group', id, number, user)
        const members = await touch(tx, 'user', await membersOf(tx, [id]))
        return { data: null, touched: [...members, ...(await touch(tx, 'group', [id]))] }
      })
    },
  }
}
