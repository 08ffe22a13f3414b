// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changeOwnPassword.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  oldPassword: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or encrypted by `/base/encryptpwd`' },
  newPassword: {
    type: 'text',
    required: true,
    minLength: 8,
    maxLength: 1024,
    help: 'Plain, or encrypted by `/base/encryptpwd`. The password has 8 to 128 characters (the encrypted text is longer), is not one of the most common passwords, and is not a known name (the username, the name of the organisation) with a few more characters.',
  },
} as const satisfies Record<string, FormField>

export const changeOwnPassword: Form<'changeOwnPassword', typeof fields> = { operation: 'changeOwnPassword', fields, validate: validate as Validator }
