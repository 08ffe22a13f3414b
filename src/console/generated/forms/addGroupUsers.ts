// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addGroupUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  groupId: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  userIds: { type: 'list', required: true, maxItems: 10000 },
} as const satisfies Record<string, FormField>

export const addGroupUsers: Form<'addGroupUsers', typeof fields> = { operation: 'addGroupUsers', fields, validate: validate as Validator }
