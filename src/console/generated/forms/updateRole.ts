// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateRole.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  name: { type: 'text', required: true, minLength: 1, maxLength: 20 },
  keyword: { type: 'text', required: true, minLength: 1, maxLength: 20 },
  remark: { type: 'text', minLength: 0, maxLength: 100 },
  sort: {
    type: 'integer',
    minimum: 1,
    maximum: 999,
    help: 'The rank of the role; a smaller value is a higher rank. 999 for a new role without a value',
  },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, including its memberships and grants. In the request of an update it is optional: with it, the update is refused (409, `db.changed_meanwhile`) if another request has changed the record since this version was read. Roles, menus and API entries contain it; for people and groups the Operations API returns it.',
  },
} as const satisfies Record<string, FormField>

export const updateRole: Form<'updateRole', typeof fields> = { operation: 'updateRole', fields, validate: validate as Validator }
