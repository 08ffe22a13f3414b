// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateAttribute.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  labels: { type: 'object', help: 'What forms show' },
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
  searched: { type: 'boolean' },
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
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record. Send it as `version` of an update, which is then refused if the record was changed since it was read',
  },
} as const satisfies Record<string, FormField>

export const updateAttribute: Form<'updateAttribute', typeof fields> = { operation: 'updateAttribute', fields, validate: validate as Validator }
