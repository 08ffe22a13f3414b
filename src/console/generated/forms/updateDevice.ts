// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateDevice.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', minLength: 1, maxLength: 100, help: 'No other device has it' },
  location: { type: 'text', maxLength: 200, help: 'Where it is; alerts about it say so' },
} as const satisfies Record<string, FormField>

export const updateDevice: Form<'updateDevice', typeof fields> = { operation: 'updateDevice', fields, validate: validate as Validator }
