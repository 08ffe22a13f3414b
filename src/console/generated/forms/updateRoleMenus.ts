// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateRoleMenus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  roleId: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  menuIds: { type: 'list', required: true, maxItems: 10000 },
} as const satisfies Record<string, FormField>

export const updateRoleMenus: Form<'updateRoleMenus', typeof fields> = { operation: 'updateRoleMenus', fields, validate: validate as Validator }
