// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/registerDevice.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', required: true, minLength: 1, maxLength: 100, help: 'Unique' },
  type: {
    type: 'text',
    required: true,
    minLength: 1,
    maxLength: 50,
    help: 'What it is: `camera`, `door`, `sensor`, …',
  },
  location: { type: 'text', maxLength: 200, help: 'Where the device is; alerts about the device show it' },
} as const satisfies Record<string, FormField>

export const registerDevice: Form<'registerDevice', typeof fields> = { operation: 'registerDevice', fields, validate: validate as Validator }
