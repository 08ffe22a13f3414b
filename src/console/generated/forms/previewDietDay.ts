// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/previewDietDay.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  meals: { type: 'list', required: true, maxItems: 24 },
  preferences: { type: 'list', maxItems: 30 },
  allergies: { type: 'list', maxItems: 30 },
} as const satisfies Record<string, FormField>

export const previewDietDay: Form<'previewDietDay', typeof fields> = { operation: 'previewDietDay', fields, validate: validate as Validator }
