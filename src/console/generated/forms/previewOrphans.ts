// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/previewOrphans.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { action: { type: 'text', required: true, values: ['adopt', 'ignore'] }, filter: { type: 'object', required: true } } as const satisfies Record<string, FormField>

export const previewOrphans: Form<'previewOrphans', typeof fields> = { operation: 'previewOrphans', fields, validate: validate as Validator }
