// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changeGroupLayout.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  planHash: {
    type: 'text',
    required: true,
    minLength: 64,
    maxLength: 64,
    help: 'The hash of the plan that the caller has looked at',
  },
  confirmed: { type: 'boolean', help: 'That a held plan is carried out' },
} as const satisfies Record<string, FormField>

export const changeGroupLayout: Form<'changeGroupLayout', typeof fields> = { operation: 'changeGroupLayout', fields, validate: validate as Validator }
