// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/compareDirectory.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  kind: { type: 'text', required: true, values: ['users', 'groups'] },
  dryRun: { type: 'boolean', help: 'Whether to report what a comparison would do without doing it' },
} as const satisfies Record<string, FormField>

export const compareDirectory: Form<'compareDirectory', typeof fields> = { operation: 'compareDirectory', fields, validate: validate as Validator }
