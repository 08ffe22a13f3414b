// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/sendCode.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { mail: { type: 'text', required: true, minLength: 0, maxLength: 100 } } as const satisfies Record<string, FormField>

export const sendCode: Form<'sendCode', typeof fields> = { operation: 'sendCode', fields, validate: validate as Validator }
