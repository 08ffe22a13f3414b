// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateGroup.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  groupName: { type: 'text', required: true, minLength: 1, maxLength: 128 },
  remark: { type: 'text', minLength: 0, maxLength: 128 },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, of what belongs to it and of what it grants. In the request of an update it is optional: the update is refused (409, `db.changed_meanwhile`) if another request changed the record since this version was read. Roles have it in lists; people and groups have it in the Operations API.',
  },
} as const satisfies Record<string, FormField>

export const updateGroup: Form<'updateGroup', typeof fields> = { operation: 'updateGroup', fields, validate: validate as Validator }
