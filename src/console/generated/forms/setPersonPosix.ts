// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setPersonPosix.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { number: { type: 'integer', required: true, minimum: 500, maximum: 4294967293, format: 'int64' } } as const satisfies Record<string, FormField>

export const setPersonPosix: Form<'setPersonPosix', typeof fields> = { operation: 'setPersonPosix', fields, validate: validate as Validator }
