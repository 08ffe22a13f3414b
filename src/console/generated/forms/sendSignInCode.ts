// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/sendSignInCode.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: { type: 'text', required: true, maxLength: 255 },
  password: { type: 'text', required: true, maxLength: 1024, help: 'Plain, or encrypted for transport' },
} as const satisfies Record<string, FormField>

export const sendSignInCode: Form<'sendSignInCode', typeof fields> = { operation: 'sendSignInCode', fields, validate: validate as Validator }
