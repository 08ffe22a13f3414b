// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateServiceAccount.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record. Send it as `version` of an update, which is then refused if the record was changed since it was read',
  },
  name: {
    type: 'text',
    minLength: 1,
    maxLength: 64,
    help: 'Unique. Letters, digits, and between them `.`, `_` and `-`',
  },
  description: { type: 'text', maxLength: 200, help: 'What the account is for' },
  people: { type: 'boolean' },
  peopleFilter: { type: 'text', maxLength: 1000, help: 'An LDAP filter (RFC 4515); empty for all' },
  groups: { type: 'boolean' },
  groupFilter: { type: 'text', maxLength: 1000, help: 'An LDAP filter (RFC 4515); empty for all' },
  ntHashes: {
    type: 'boolean',
    help: 'Whether it may read the NT hashes of the people that it reads; `false` if absent when it is created. An NT hash is as good as the password for MS-CHAPv2',
  },
  enabled: { type: 'boolean' },
} as const satisfies Record<string, FormField>

export const updateServiceAccount: Form<'updateServiceAccount', typeof fields> = { operation: 'updateServiceAccount', fields, validate: validate as Validator }
