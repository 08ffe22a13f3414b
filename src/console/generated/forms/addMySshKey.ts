// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addMySshKey.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', required: true, minLength: 1, maxLength: 60 },
  key: { type: 'text', required: true, minLength: 1, maxLength: 8000, help: 'One public key' },
} as const satisfies Record<string, FormField>

export const addMySshKey: Form<'addMySshKey', typeof fields> = { operation: 'addMySshKey', fields, validate: validate as Validator }
