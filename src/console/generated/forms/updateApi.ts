// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateApi.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  category: { type: 'text', minLength: 1, maxLength: 50 },
  method: { type: 'text', minLength: 1, maxLength: 20 },
  path: { type: 'text', minLength: 1, maxLength: 100 },
  remark: { type: 'text', minLength: 0, maxLength: 100 },
} as const satisfies Record<string, FormField>

export const updateApi: Form<'updateApi', typeof fields> = { operation: 'updateApi', fields, validate: validate as Validator }
