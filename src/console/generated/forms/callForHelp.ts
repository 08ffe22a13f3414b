// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/callForHelp.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  type: { type: 'text', required: true, minLength: 1, maxLength: 50 },
  description: { type: 'text', required: true, minLength: 1, maxLength: 2000 },
} as const satisfies Record<string, FormField>

export const callForHelp: Form<'callForHelp', typeof fields> = { operation: 'callForHelp', fields, validate: validate as Validator }
