// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/resetUserPasswords.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  way: {
    type: 'text',
    required: true,
    values: ['link', 'shown'],
    help: '`link`: a link is mailed by which the user sets a password; `shown`: a random password is set and returned',
  },
  ids: { type: 'list', required: true, minItems: 1, maxItems: 100 },
  dryRun: { type: 'boolean', help: 'Whether to return what would be changed without changing anything' },
} as const satisfies Record<string, FormField>

export const resetUserPasswords: Form<'resetUserPasswords', typeof fields> = { operation: 'resetUserPasswords', fields, validate: validate as Validator }
