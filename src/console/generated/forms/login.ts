// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/login.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: { type: 'text', required: true, maxLength: 255 },
  password: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or encrypted by `/base/encryptpwd`' },
  code: {
    type: 'text',
    maxLength: 64,
    help: 'A code of the authenticator app, a recovery code, or a mailed code; ignored if it is not required',
  },
  newPassword: {
    type: 'text',
    minLength: 8,
    maxLength: 1024,
    help: 'Plain, or encrypted by `/base/encryptpwd`. The password has 8 to 128 characters (the encrypted text is longer), is not one of the most common passwords, and is not a known name (the username, the name of the organisation) with a few more characters.',
  },
} as const satisfies Record<string, FormField>

export const login: Form<'login', typeof fields> = { operation: 'login', fields, validate: validate as Validator }
