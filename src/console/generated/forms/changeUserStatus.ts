// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changeUserStatus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  status: { type: 'integer', required: true, values: [1, 2], help: '1 enabled, 2 disabled' },
} as const satisfies Record<string, FormField>

export const changeUserStatus: Form<'changeUserStatus', typeof fields> = { operation: 'changeUserStatus', fields, validate: validate as Validator }
