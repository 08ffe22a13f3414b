// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateDevice.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', minLength: 1, maxLength: 100, help: 'Unique' },
  location: { type: 'text', maxLength: 200, help: 'Where the device is; alerts about the device show it' },
} as const satisfies Record<string, FormField>

export const updateDevice: Form<'updateDevice', typeof fields> = { operation: 'updateDevice', fields, validate: validate as Validator }
