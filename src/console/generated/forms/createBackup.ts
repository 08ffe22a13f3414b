// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/createBackup.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { type: { type: 'text', required: true, values: ['auto', 'manual'] } } as const satisfies Record<string, FormField>

export const createBackup: Form<'createBackup', typeof fields> = { operation: 'createBackup', fields, validate: validate as Validator }
