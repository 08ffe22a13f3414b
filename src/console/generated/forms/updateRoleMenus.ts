// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateRoleMenus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  roleId: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  menuIds: { type: 'list', required: true, maxItems: 10000 },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, including its memberships and grants. In the request of an update it is optional: with it, the update is refused (409, `db.changed_meanwhile`) if another request has changed the record since this version was read. Roles, menus and API entries contain it; for people and groups the Operations API returns it.',
  },
} as const satisfies Record<string, FormField>

export const updateRoleMenus: Form<'updateRoleMenus', typeof fields> = { operation: 'updateRoleMenus', fields, validate: validate as Validator }
