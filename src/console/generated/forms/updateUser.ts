// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateUser.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  username: { type: 'text', minLength: 2, maxLength: 50 },
  nickname: { type: 'text', minLength: 0, maxLength: 20 },
  mail: { type: 'text', minLength: 0, maxLength: 100 },
  mobile: {
    type: 'text',
    maxLength: 50,
    help: 'Letters, digits, spaces and `\' ( ) + , - . / : = ?`, stored as written. Unique: valid numbers are compared as E.164 numbers (with the setting `DEFAULT_REGION`), other values by their digits.',
  },
  jobNumber: { type: 'text', minLength: 0, maxLength: 20 },
  departmentId: { type: 'list', required: true, maxItems: 10000 },
  roleIds: { type: 'list', required: true, maxItems: 10000 },
  givenName: { type: 'text', minLength: 0, maxLength: 50 },
  avatar: { type: 'text', maxLength: 2048, help: 'The URL of a picture' },
  introduction: { type: 'text', minLength: 0, maxLength: 255 },
  position: { type: 'text', minLength: 0, maxLength: 128 },
  postalAddress: { type: 'text', minLength: 0, maxLength: 255 },
  departments: { type: 'text', minLength: 0, maxLength: 512 },
  source: { type: 'text', minLength: 0, maxLength: 50 },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, including its memberships and grants. In the request of an update it is optional: with it, the update is refused (409, `db.changed_meanwhile`) if another request has changed the record since this version was read. Roles, menus and API entries contain it; for people and groups the Operations API returns it.',
  },
} as const satisfies Record<string, FormField>

export const updateUser: Form<'updateUser', typeof fields> = { operation: 'updateUser', fields, validate: validate as Validator }
