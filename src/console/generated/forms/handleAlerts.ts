// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/handleAlerts.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { ids: { type: 'list', required: true, minItems: 1, maxItems: 1000 } } as const satisfies Record<string, FormField>

export const handleAlerts: Form<'handleAlerts', typeof fields> = { operation: 'handleAlerts', fields, validate: validate as Validator }
