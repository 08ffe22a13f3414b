// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/resetUserPassword.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  way: {
    type: 'text',
    required: true,
    values: ['link', 'shown'],
    help: '`link`: a link is mailed by which the user sets a password; `shown`: a random password is set and returned',
  },
} as const satisfies Record<string, FormField>

export const resetUserPassword: Form<'resetUserPassword', typeof fields> = { operation: 'resetUserPassword', fields, validate: validate as Validator }
