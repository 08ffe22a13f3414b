// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/adoptOrphans.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  dns: { type: 'list', minItems: 1, maxItems: 1000 },
  filter: { type: 'object' },
  hash: { type: 'text', minLength: 64, maxLength: 64, help: 'The hash of the preview' },
} as const satisfies Record<string, FormField>

export const adoptOrphans: Form<'adoptOrphans', typeof fields> = { operation: 'adoptOrphans', fields, validate: validate as Validator }
