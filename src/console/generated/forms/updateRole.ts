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
    help: 'The rank of the role, a smaller value is a higher rank; a new role has 999 unless the request says otherwise',
  },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, of what belongs to it and of what it grants. In the request of an update it is optional: the update is refused (409, `db.changed_meanwhile`) if another request changed the record since this version was read. Roles have it in lists; people and groups have it in the Operations API.',
  },
} as const satisfies Record<string, FormField>

export const updateRole: Form<'updateRole', typeof fields> = { operation: 'updateRole', fields, validate: validate as Validator }
