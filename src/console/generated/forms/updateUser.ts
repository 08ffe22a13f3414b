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
    help: 'In any notation that consists of letters, digits, spaces and `\' ( ) + , - . / : = ?`. It is stored as it was written. It is unique as a number (E.164, under the setting `DEFAULT_REGION`), or by its digits where it is not a valid number.',
  },
  jobNumber: { type: 'text', minLength: 0, maxLength: 20 },
  departmentId: { type: 'list', required: true, maxItems: 10000 },
  roleIds: { type: 'list', required: true, maxItems: 10000 },
  givenName: { type: 'text', minLength: 0, maxLength: 50 },
  avatar: { type: 'text', maxLength: 2048, help: 'The address of a picture' },
  introduction: { type: 'text', minLength: 0, maxLength: 255 },
  position: { type: 'text', minLength: 0, maxLength: 128 },
  postalAddress: { type: 'text', minLength: 0, maxLength: 255 },
  departments: { type: 'text', minLength: 0, maxLength: 512 },
  source: { type: 'text', minLength: 0, maxLength: 50 },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, of what belongs to it and of what it grants. In the request of an update it is optional: the update is refused (409, `db.changed_meanwhile`) if another request changed the record since this version was read. Roles have it in lists; people and groups have it in the Operations API.',
  },
} as const satisfies Record<string, FormField>

export const updateUser: Form<'updateUser', typeof fields> = { operation: 'updateUser', fields, validate: validate as Validator }
