// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/previewMapping.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  kind: { type: 'text', required: true, values: ['users', 'groups'] },
  attributes: {
    type: 'object',
    help: 'The field in Steward → an expression over the source\'s record, as in a field relation',
  },
} as const satisfies Record<string, FormField>

export const previewMapping: Form<'previewMapping', typeof fields> = { operation: 'previewMapping', fields, validate: validate as Validator }
