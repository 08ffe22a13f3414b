// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/createServiceAccount.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: {
    type: 'text',
    required: true,
    minLength: 1,
    maxLength: 64,
    help: 'Unique. Letters, digits, and between them `.`, `_` and `-`',
  },
  description: { type: 'text', maxLength: 200, help: 'What the account is for' },
  people: { type: 'boolean', help: '`true` if absent' },
  peopleFilter: { type: 'text', maxLength: 1000, help: 'An LDAP filter (RFC 4515); empty for all' },
  groups: { type: 'boolean', help: '`false` if absent' },
  groupFilter: { type: 'text', maxLength: 1000, help: 'An LDAP filter (RFC 4515); empty for all' },
  ntHashes: {
    type: 'boolean',
    help: 'Whether it may read the NT hashes of the people that it reads; `false` if absent when it is created. An NT hash is as good as the password for MS-CHAPv2',
  },
} as const satisfies Record<string, FormField>

export const createServiceAccount: Form<'createServiceAccount', typeof fields> = { operation: 'createServiceAccount', fields, validate: validate as Validator }
