// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/savePlan.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  date: { type: 'text', required: true, format: 'date', help: 'A date, `YYYY-MM-DD`' },
  meals: { type: 'list', required: true, maxItems: 24 },
  preferences: { type: 'list', maxItems: 30 },
  allergies: { type: 'list', maxItems: 30 },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'The `version` of the plan that this one replaces; `""` if there was none of the date',
  },
} as const satisfies Record<string, FormField>

export const savePlan: Form<'savePlan', typeof fields> = { operation: 'savePlan', fields, validate: validate as Validator }
