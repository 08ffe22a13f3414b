// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/heedOrphans.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { dns: { type: 'list', required: true, minItems: 1, maxItems: 1000 } } as const satisfies Record<string, FormField>

export const heedOrphans: Form<'heedOrphans', typeof fields> = { operation: 'heedOrphans', fields, validate: validate as Validator }
