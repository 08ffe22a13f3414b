// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setPasswordByLink.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  token: { type: 'text', required: true, maxLength: 100, help: 'The token of the link' },
  newPassword: {
    type: 'text',
    required: true,
    maxLength: 1024,
    help: '8 to 128 characters, and not one of the most common passwords; plain, or encrypted for transport',
  },
} as const satisfies Record<string, FormField>

export const setPasswordByLink: Form<'setPasswordByLink', typeof fields> = { operation: 'setPasswordByLink', fields, validate: validate as Validator }
