// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changePasswordByCode.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  mail: { type: 'text', required: true, minLength: 0, maxLength: 100 },
  code: { type: 'text', required: true, maxLength: 20, help: 'The mailed code' },
  newPassword: {
    type: 'text',
    minLength: 8,
    maxLength: 1024,
    help: 'Plain, or encrypted by `/base/encryptpwd`. The password has 8 to 128 characters (the encrypted text is longer), is not one of the most common passwords, and is not a known name (the username, the name of the organisation) with a few more characters.',
  },
} as const satisfies Record<string, FormField>

export const changePasswordByCode: Form<'changePasswordByCode', typeof fields> = { operation: 'changePasswordByCode', fields, validate: validate as Validator }
