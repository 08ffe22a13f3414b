// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/startDryRun.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { kind: { type: 'text', required: true, values: ['users', 'groups'] } } as const satisfies Record<string, FormField>

export const startDryRun: Form<'startDryRun', typeof fields> = { operation: 'startDryRun', fields, validate: validate as Validator }
