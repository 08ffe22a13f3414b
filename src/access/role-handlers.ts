import { type Column, type SQL, sql } from 'drizzle-orm'
import { pageOf } from '../db/paging.ts'
import { reasons as missing } from '../db/reasons.ts'
import { requireVersion } from '../db/record-versions.ts'
import { itemOf, only } from '../db/request-fields.ts'
import { apiEntries, menus, roles } from '../db/schema.ts'
import type { RolesHandlers } from '../generated/directory.ts'
import { isAdministratorRole } from './administrator-role.ts'
import { apiRecords } from './api-records.ts'
import { type CommittedOptions, changeFor, committedChange } from './committed.ts'
import { menuRecords } from './menu-records.ts'
import { permitNewRole, permitRoles, requireCovered, requireRoleBelowOwn } from './permits/roles.ts'
import { reasons, roleClashes } from './reasons.ts'
import { type GrantKind, grantedTo, regrant } from './role-grants.ts'
import { roleRecords } from './role-records.ts'
import {
  type LockedRole,
  lockRole,
  lockRoles,
  requireLastingAdministrator,
  requireLastingKeyword,
  requireUnheld,
  requireUnnamed,
  requireUnreserved,
} from './role-rules.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import { highestRank, requireAdministratorLeft } from './seniority.ts'
import { requirePresentFactor } from './step-up.ts'

/** The default `sort` of a role. */
const weakest = 999

/** Whether the changes affect what the users of the role may do. */
const weighs = (role: LockedRole, changes: Partial<Pick<LockedRole, 'keyword' | 'sort' | 'status'>>): boolean =>
  (['keyword', 'sort', 'status'] as const).some((field) => (changes[field] ?? role[field]) !== role[field])

/** Whether the changes make the users of the role administrators. */
const becomesHighest = (role: LockedRole, changes: Partial<Pick<LockedRole, 'sort' | 'status'>>): boolean => {
  const { sort = role.sort, status = role.status } = changes
  return sort === highestRank && status === 1 && (role.sort !== highestRank || role.status !== 1)
}

/** Roles: their ranks, the operations they grant, the menus they show. */
export const rolesHandlers = (options: CommittedOptions): RolesHandlers => {
  const { db } = options
  const records = roleRecords(db)
  const change = committedChange(options)

  /** The condition for rows that a role grants; undefined: it grants all. */
  const grantedRows = async (kind: GrantKind, id: Column, roleId: number): Promise<SQL | undefined> => {
    const keyword = await records.keyword(roleId)
    if (keyword === null) throw missing.role_not_found.at('roleId', { id: roleId })
    return isAdministratorRole({ keyword }) ? undefined : sql`${id} in (${grantedTo(kind, roleId)})`
  }

  return {
    async addRole({ body, user }) {
      const id = await changeFor(db, user, async (tx) => {
        const permit = await permitNewRole(tx, user, body.sort ?? weakest)
        await requireUnreserved(tx, user, body.keyword)
        if (body.sort === highestRank) await requirePresentFactor(tx, user)
        return insertRow(permit, roles, { ...body, creator: user.username }, roleClashes)
      })
      return { id }
    },

    async updateRole({ body: { id, version, ...changes }, user }) {
      const callers = { roleIds: [id] }
      await change(user, async (tx) => {
        const role = await lockRole(tx, id, 'id')
        await requireVersion(tx, 'role', id, version)
        const permit = await permitRoles(tx, user, [role], { holders: weighs(role, changes), field: only('id') })
        await requireRoleBelowOwn(tx, user, changes.sort ?? role.sort)
        requireLastingAdministrator(role, changes)
        requireLastingKeyword(role, changes.keyword)
        if (role.status === 2 && changes.status === 1) await requireCovered(tx, user, id)
        if (becomesHighest(role, changes)) await requirePresentFactor(tx, user)
        await updateRow(permit, roles, id, changes, roleClashes)
        if (role.sort === highestRank) await requireAdministratorLeft(tx)
        return { callers }
      })
      return null
    },

    async deleteRoles({ body: { roleIds }, user }) {
      const field = itemOf('roleIds')
      await change(user, async (tx) => {
        const found = await lockRoles(tx, roleIds, field)
        const permit = await permitRoles(tx, user, found, { holders: true, field })
        const lasting = found.findIndex(isAdministratorRole)
        if (lasting >= 0) throw reasons.administrator_role_stays.at(field(lasting))
        await requireUnheld(tx, roleIds, field)
        await requireUnnamed(tx, roleIds, field)
        await deleteRows(permit, roles, roleIds)
        return {}
      })
      return null
    },

    async listRoles({ query }) {
      const page = pageOf(query)
      return page === null ? { roles: records.stream(query) } : records.page(query, page)
    },

    async getRoleApis({ query: { roleId } }) {
      return apiRecords(db).all(await grantedRows('API entry', apiEntries.id, roleId))
    },

    async getRoleMenus({ query: { roleId } }) {
      return menuRecords(db).all(await grantedRows('menu', menus.id, roleId))
    },

    async updateRoleApis({ body: { roleId, apiIds, version }, user }) {
      await change(user, async (tx) => {
        await regrant(tx, user, { kind: 'API entry', ids: apiIds, roleId, version }, itemOf('apiIds'))
        return { callers: { roleIds: [roleId] } }
      })
      return null
    },

    async updateRoleMenus({ body: { roleId, menuIds, version }, user }) {
      await change(user, async (tx) => {
        await regrant(tx, user, { kind: 'menu', ids: menuIds, roleId, version }, itemOf('menuIds'))
        return {}
      })
      return null
    },
  }
}
