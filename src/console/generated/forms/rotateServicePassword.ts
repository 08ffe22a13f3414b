// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/rotateServicePassword.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  keepOld: { type: 'boolean', help: '`true` if absent' },
  oldUntil: {
    type: 'text',
    maxLength: 40,
    format: 'date-time',
    help: 'Until when the old password is valid; if absent, until it is ended',
  },
} as const satisfies Record<string, FormField>

export const rotateServicePassword: Form<'rotateServicePassword', typeof fields> = { operation: 'rotateServicePassword', fields, validate: validate as Validator }
