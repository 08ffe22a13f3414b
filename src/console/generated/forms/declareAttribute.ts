// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/declareAttribute.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  kind: { type: 'text', required: true, values: ['user', 'group'], help: 'Whose attribute it is' },
  name: {
    type: 'text',
    required: true,
    maxLength: 40,
    help: 'By which requests, filters and field relations name it. It cannot be changed',
  },
  labels: { type: 'object', required: true, help: 'What forms show' },
  type: {
    type: 'text',
    required: true,
    values: ['text', 'integer', 'boolean', 'date'],
    help: '`text`: one line; `integer`: a whole number; `boolean`: `true` or `false`; `date`: such as `2026-11-23`',
  },
  multiple: { type: 'boolean', help: '`false` if absent. It cannot be changed' },
  minimum: {
    type: 'integer',
    nullable: true,
    minimum: -2147483648,
    maximum: 2147483647,
    help: 'Of an integer itself, of the characters of a text; null for the widest. Other types have no bounds',
  },
  maximum: {
    type: 'integer',
    nullable: true,
    minimum: -2147483648,
    maximum: 2147483647,
    help: 'Of an integer itself, of the characters of a text; null for the widest. Other types have no bounds',
  },
  searched: { type: 'boolean', help: '`false` if absent' },
  own: {
    type: 'text',
    values: ['hidden', 'see', 'edit'],
    help: 'What people may do with their own values. Of a group it has no effect',
  },
  seeRoles: {
    type: 'list',
    maxItems: 50,
    help: 'Ids of roles. Empty for every caller who may see or change the record; a role with `sort` 1 may always',
  },
  editRoles: {
    type: 'list',
    maxItems: 50,
    help: 'Ids of roles. Empty for every caller who may see or change the record; a role with `sort` 1 may always',
  },
  ldapAttribute: { type: 'text', maxLength: 100, help: 'A name in the directory\'s schema; empty for none' },
  objectClass: { type: 'text', maxLength: 100, help: 'A name in the directory\'s schema; empty for none' },
  dryRun: { type: 'boolean', help: 'Whether to check it without declaring it' },
} as const satisfies Record<string, FormField>

export const declareAttribute: Form<'declareAttribute', typeof fields> = { operation: 'declareAttribute', fields, validate: validate as Validator }
