// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addRole.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', required: true, minLength: 1, maxLength: 20, help: 'Unique' },
  keyword: { type: 'text', required: true, minLength: 1, maxLength: 20, help: 'Unique; the name that programs use' },
  remark: { type: 'text', minLength: 0, maxLength: 100 },
  sort: {
    type: 'integer',
    minimum: 1,
    maximum: 999,
    help: 'The rank of the role; a smaller value is a higher rank. 999 for a new role without a value',
  },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
} as const satisfies Record<string, FormField>

export const addRole: Form<'addRole', typeof fields> = { operation: 'addRole', fields, validate: validate as Validator }
