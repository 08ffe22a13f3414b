// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addUser.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  username: {
    type: 'text',
    required: true,
    minLength: 2,
    maxLength: 50,
    help: 'The `uid` of the directory entry; unique, ignoring case',
  },
  nickname: { type: 'text', required: true, minLength: 0, maxLength: 50, help: 'The name that is shown' },
  mail: {
    type: 'text',
    required: true,
    minLength: 0,
    maxLength: 100,
    help: 'A mail address in ASCII, or empty; unique, ignoring case',
  },
  mobile: {
    type: 'text',
    required: true,
    maxLength: 50,
    help: 'Letters, digits, spaces and `\' ( ) + , - . / : = ?`, stored as written. Unique: valid numbers are compared as E.164 numbers (with the setting `DEFAULT_REGION`), other values by their digits.',
  },
  jobNumber: { type: 'text', required: true, minLength: 0, maxLength: 20, help: 'Unique if not empty' },
  departmentId: { type: 'list', required: true, maxItems: 10000 },
  roleIds: { type: 'list', required: true, maxItems: 10000 },
  password: { type: 'text', maxLength: 1024, help: 'Like a new password; empty for a user without a password' },
  givenName: { type: 'text', minLength: 0, maxLength: 50 },
  avatar: { type: 'text', maxLength: 2048, help: 'The URL of a picture' },
  introduction: { type: 'text', minLength: 0, maxLength: 255 },
  position: { type: 'text', minLength: 0, maxLength: 128, help: 'Job title' },
  postalAddress: { type: 'text', minLength: 0, maxLength: 255 },
  departments: {
    type: 'text',
    minLength: 0,
    maxLength: 512,
    help: 'Names of departments as text. If it is empty, or equal to the names of the user\'s groups, the record shows the names of the groups',
  },
  source: {
    type: 'text',
    minLength: 0,
    maxLength: 50,
    help: 'The source the user was imported from; empty for a local user',
  },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
} as const satisfies Record<string, FormField>

export const addUser: Form<'addUser', typeof fields> = { operation: 'addUser', fields, validate: validate as Validator }
