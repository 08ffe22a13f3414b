// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addGroup.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  groupName: { type: 'text', required: true, minLength: 1, maxLength: 128, help: 'Unique below the same parent' },
  groupType: {
    type: 'text',
    required: true,
    values: ['ou', 'cn'],
    help: '`ou` for an organizational unit (`organizationalUnit`), whose members are only in Steward, or `cn` for a group (`groupOfNames`), whose members are in the directory too',
  },
  parentId: {
    type: 'integer',
    required: true,
    minimum: 0,
    maximum: 9007199254740991,
    format: 'int64',
    help: 'The parent\'s id, or 0 for no parent',
  },
  remark: { type: 'text', minLength: 0, maxLength: 128, help: 'A description of the group' },
} as const satisfies Record<string, FormField>

export const addGroup: Form<'addGroup', typeof fields> = { operation: 'addGroup', fields, validate: validate as Validator }
