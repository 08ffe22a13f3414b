// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/moveDepartment.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  parent: {
    type: 'integer',
    required: true,
    nullable: true,
    minimum: 1,
    maximum: 9007199254740991,
    format: 'int64',
    help: 'The id of the new parent; null to move it to the top',
  },
  dryRun: { type: 'boolean', help: 'Whether to return what would be changed without changing anything' },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record. Send it as `version` of an update, which is then refused if the record was changed since it was read',
  },
} as const satisfies Record<string, FormField>

export const moveDepartment: Form<'moveDepartment', typeof fields> = { operation: 'moveDepartment', fields, validate: validate as Validator }
