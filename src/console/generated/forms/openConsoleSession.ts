// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/openConsoleSession.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: { type: 'text', required: true, maxLength: 255 },
  password: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or encrypted for transport' },
  code: { type: 'text', maxLength: 64, help: 'Of the second factor; goes unused where it is not asked for' },
  newPassword: {
    type: 'text',
    maxLength: 1024,
    help: 'Plain, or encrypted for transport; goes unused where the password need not be changed',
  },
} as const satisfies Record<string, FormField>

export const openConsoleSession: Form<'openConsoleSession', typeof fields> = { operation: 'openConsoleSession', fields, validate: validate as Validator }
