// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/openConsoleSession.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: { type: 'text', required: true, maxLength: 255 },
  password: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or encrypted for transport' },
  code: { type: 'text', maxLength: 64, help: 'A code of the second factor; ignored if it is not required' },
  newPassword: {
    type: 'text',
    maxLength: 1024,
    help: 'Plain, or encrypted for transport; ignored if the password does not have to be changed',
  },
} as const satisfies Record<string, FormField>

export const openConsoleSession: Form<'openConsoleSession', typeof fields> = { operation: 'openConsoleSession', fields, validate: validate as Validator }
