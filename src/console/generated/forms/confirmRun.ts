// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/confirmRun.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  planHash: {
    type: 'text',
    required: true,
    minLength: 64,
    maxLength: 64,
    help: 'The hash of the plan that the caller has looked at',
  },
} as const satisfies Record<string, FormField>

export const confirmRun: Form<'confirmRun', typeof fields> = { operation: 'confirmRun', fields, validate: validate as Validator }
