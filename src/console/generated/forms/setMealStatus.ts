// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setMealStatus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { status: { type: 'text', required: true, values: ['pending', 'current', 'done'] } } as const satisfies Record<string, FormField>

export const setMealStatus: Form<'setMealStatus', typeof fields> = { operation: 'setMealStatus', fields, validate: validate as Validator }
