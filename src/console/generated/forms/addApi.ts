// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addApi.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  category: { type: 'text', required: true, minLength: 1, maxLength: 50 },
  method: { type: 'text', required: true, minLength: 1, maxLength: 20, help: 'The HTTP method' },
  path: {
    type: 'text',
    required: true,
    minLength: 1,
    maxLength: 100,
    help: 'Relative to `/api`; unique together with the method',
  },
  remark: { type: 'text', minLength: 0, maxLength: 100 },
} as const satisfies Record<string, FormField>

export const addApi: Form<'addApi', typeof fields> = { operation: 'addApi', fields, validate: validate as Validator }
