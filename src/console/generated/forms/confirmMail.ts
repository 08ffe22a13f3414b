// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/confirmMail.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { code: { type: 'text', required: true, minLength: 6, maxLength: 6, help: 'Six digits' } } as const satisfies Record<string, FormField>

export const confirmMail: Form<'confirmMail', typeof fields> = { operation: 'confirmMail', fields, validate: validate as Validator }
