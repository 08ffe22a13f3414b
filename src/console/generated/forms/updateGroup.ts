// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateGroup.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  groupName: { type: 'text', required: true, minLength: 1, maxLength: 128 },
  remark: { type: 'text', minLength: 0, maxLength: 128 },
} as const satisfies Record<string, FormField>

export const updateGroup: Form<'updateGroup', typeof fields> = { operation: 'updateGroup', fields, validate: validate as Validator }
