// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/enrolTotp.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  password: {
    type: 'text',
    required: true,
    maxLength: 1024,
    help: 'The caller\'s own, plain or encrypted for transport',
  },
} as const satisfies Record<string, FormField>

export const enrolTotp: Form<'enrolTotp', typeof fields> = { operation: 'enrolTotp', fields, validate: validate as Validator }
