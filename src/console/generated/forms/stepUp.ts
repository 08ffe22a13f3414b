// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/stepUp.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  method: {
    type: 'text',
    required: true,
    values: ['totp', 'recovery', 'mail'],
    help: 'A code of the authenticator app, a recovery code, or a mailed code',
  },
  code: { type: 'text', required: true, maxLength: 64 },
} as const satisfies Record<string, FormField>

export const stepUp: Form<'stepUp', typeof fields> = { operation: 'stepUp', fields, validate: validate as Validator }
