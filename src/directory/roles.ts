import { type Column, type SQL, sql } from 'drizzle-orm'
import { apiEntries, menus, roles } from '../db/schema.ts'
import { fieldError } from '../errors.ts'
import type { RolesHandlers } from '../generated/directory.ts'
import { apiRecords } from './api-records.ts'
import { type CommittedOptions, committedChange } from './committed.ts'
import { menuRecords } from './menu-records.ts'
import { pageOf } from './paging.ts'
import { itemOf, only } from './request-fields.ts'
import { type GrantKind, grantedTo, regrant } from './role-grants.ts'
import { roleRecords } from './role-records.ts'
import {
  isAdministratorRole,
  lockRole,
  lockRoles,
  requireCovered,
  requireLastingAdministrator,
  requireUnheld,
  requireWeaker,
} from './role-rules.ts'
import { deleteRows, insertRow, updateRow } from './rows.ts'
import { requireAdministratorLeft, strongest } from './seniority.ts'

/** A role's `sort` unless it is given one. */
const weakest = 999

/** Roles: how strong they are, which operations they grant, which menus they show. */
export const rolesHandlers = (options: CommittedOptions): RolesHandlers => {
  const { db } = options
  const records = roleRecords(db)
  const change = committedChange(options)

  /** What rows have to be like for a role to grant them; undefined: it grants everything. */
  const grantedRows = async (kind: GrantKind, id: Column, roleId: number): Promise<SQL | undefined> => {
    const keyword = await records.keyword(roleId)
    if (keyword === null) throw fieldError('not_found', 'roleId', `there is no role ${roleId}`)
    return isAdministratorRole({ keyword }) ? undefined : sql`${id} in (${grantedTo(kind, roleId)})`
  }

  return {
    async addRole({ body, user }) {
      const id = await db.transaction(async (tx) => {
        await requireWeaker(tx, user, [body.sort ?? weakest], only('sort'))
        return insertRow(tx, roles, { ...body, creator: user.username })
      })
      return { id }
    },

    async updateRole({ body: { id, ...changes }, user }) {
      const callers = { roleIds: [id] }
      await change(async (tx) => {
        const role = await lockRole(tx, id, 'id')
        await requireWeaker(tx, user, [role.sort], only('id'))
        await requireWeaker(tx, user, [changes.sort ?? role.sort], only('sort'))
        requireLastingAdministrator(role, changes)
        if (role.status === 2 && changes.status === 1) await requireCovered(tx, user, id)
        await updateRow(tx, roles, id, changes)
        if (role.sort === strongest) await requireAdministratorLeft(tx)
        return { callers }
      })
      return null
    },

    async deleteRoles({ body: { roleIds }, user }) {
      const field = itemOf('roleIds')
      await db.transaction(async (tx) => {
        const found = await lockRoles(tx, roleIds, field)
        await requireWeaker(
          tx,
          user,
          found.map(({ sort }) => sort),
          field,
        )
        const lasting = found.findIndex(isAdministratorRole)
        if (lasting >= 0) throw fieldError('forbidden', field(lasting), "the administrator's role must stay")
        await requireUnheld(tx, roleIds, field)
        await deleteRows(tx, roles, roleIds)
      })
      return null
    },

    listRoles: ({ query }) => records.list(query, pageOf(query)),

    async getRoleApis({ query: { roleId } }) {
      return apiRecords(db).all(await grantedRows('API entry', apiEntries.id, roleId))
    },

    async getRoleMenus({ query: { roleId } }) {
      return menuRecords(db).all(await grantedRows('menu', menus.id, roleId))
    },

    async updateRoleApis({ body: { roleId, apiIds }, user }) {
      await change(async (tx) => {
        await regrant(tx, user, { kind: 'API entry', ids: apiIds, roleId }, itemOf('apiIds'))
        return { callers: { roleIds: [roleId] } }
      })
      return null
    },

    async updateRoleMenus({ body: { roleId, menuIds }, user }) {
      await db.transaction((tx) => regrant(tx, user, { kind: 'menu', ids: menuIds, roleId }, itemOf('menuIds')))
      return null
    },
  }
}
