// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changeOwnPassword.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  oldPassword: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or as `/base/encryptpwd` encrypted it' },
  newPassword: {
    type: 'text',
    required: true,
    minLength: 8,
    maxLength: 1024,
    help: 'Plain, or encrypted by `/base/encryptpwd`: the longer limit is that of the encrypted form. The password itself has 8 to 128 characters, is not among the commonest, and is not a known name (the username, the organisation\'s) with a few characters around it.',
  },
} as const satisfies Record<string, FormField>

export const changeOwnPassword: Form<'changeOwnPassword', typeof fields> = { operation: 'changeOwnPassword', fields, validate: validate as Validator }
