// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/changePeople.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  action: {
    type: 'text',
    required: true,
    values: ['enable', 'disable', 'move', 'addRoles', 'removeRoles', 'addGroups', 'removeGroups', 'sync', 'delete'],
  },
  ids: { type: 'list', required: true, minItems: 1, maxItems: 1000 },
  roleIds: { type: 'list', minItems: 1, maxItems: 100, help: 'Required for `addRoles` and `removeRoles`' },
  groupIds: { type: 'list', minItems: 1, maxItems: 100, help: 'Required for `addGroups` and `removeGroups`' },
  from: { type: 'integer', minimum: 1, maximum: 9007199254740991, format: 'int64' },
  to: { type: 'integer', minimum: 1, maximum: 9007199254740991, format: 'int64' },
  dryRun: { type: 'boolean', help: 'Whether to return what would be changed without changing anything' },
} as const satisfies Record<string, FormField>

export const changePeople: Form<'changePeople', typeof fields> = { operation: 'changePeople', fields, validate: validate as Validator }
