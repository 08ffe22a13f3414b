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
    help: 'A mail address in ASCII, or empty; unique without regard to case',
  },
  mobile: {
    type: 'text',
    required: true,
    maxLength: 50,
    help: 'In any notation that consists of letters, digits, spaces and `\' ( ) + , - . / : = ?`. It is stored as it was written. It is unique as a number (E.164, under the setting `DEFAULT_REGION`), or by its digits where it is not a valid number.',
  },
  jobNumber: { type: 'text', required: true, minLength: 0, maxLength: 20, help: 'Unique where not empty' },
  departmentId: { type: 'list', required: true, maxItems: 10000 },
  roleIds: { type: 'list', required: true, maxItems: 10000 },
  password: { type: 'text', maxLength: 1024, help: 'Like a new password, or empty for none' },
  givenName: { type: 'text', minLength: 0, maxLength: 50 },
  avatar: { type: 'text', maxLength: 2048, help: 'The address of a picture' },
  introduction: { type: 'text', minLength: 0, maxLength: 255 },
  position: { type: 'text', minLength: 0, maxLength: 128, help: 'Job title' },
  postalAddress: { type: 'text', minLength: 0, maxLength: 255 },
  departments: {
    type: 'text',
    minLength: 0,
    maxLength: 512,
    help: 'Names of departments as text. Where it is empty, or says what the groups are called, the record shows the names of the user\'s groups',
  },
  source: { type: 'text', minLength: 0, maxLength: 50, help: 'Where the user comes from; empty for one of our own' },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
} as const satisfies Record<string, FormField>

export const addUser: Form<'addUser', typeof fields> = { operation: 'addUser', fields, validate: validate as Validator }
