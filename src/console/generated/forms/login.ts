// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/login.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: { type: 'text', required: true, maxLength: 255 },
  password: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or as `/base/encryptpwd` encrypted it' },
  code: {
    type: 'text',
    maxLength: 64,
    help: 'A code of the authenticator app, a recovery code, or a mailed code; goes unused where it is not asked for',
  },
  newPassword: {
    type: 'text',
    minLength: 8,
    maxLength: 1024,
    help: 'Plain, or encrypted by `/base/encryptpwd`: the longer limit is that of the encrypted form. The password itself has 8 to 128 characters, is not among the commonest, and is not a known name (the username, the organisation\'s) with a few characters around it.',
  },
} as const satisfies Record<string, FormField>

export const login: Form<'login', typeof fields> = { operation: 'login', fields, validate: validate as Validator }
