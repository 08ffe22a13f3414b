// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateMeal.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', minLength: 1, maxLength: 100 },
  calories: { type: 'number', minimum: 0, maximum: 20000, help: 'The caller\'s own figure, in kcal' },
  ingredients: { type: 'list', maxItems: 50 },
  version: { type: 'text', maxLength: 32, help: 'The `version` of the meal that this changes' },
} as const satisfies Record<string, FormField>

export const updateMeal: Form<'updateMeal', typeof fields> = { operation: 'updateMeal', fields, validate: validate as Validator }
