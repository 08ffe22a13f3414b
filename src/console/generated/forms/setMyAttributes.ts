// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setMyAttributes.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  values: { type: 'object', required: true, help: 'Lists of values by the names of attributes' },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record. Send it as `version` of an update, which is then refused if the record was changed since it was read',
  },
} as const satisfies Record<string, FormField>

export const setMyAttributes: Form<'setMyAttributes', typeof fields> = { operation: 'setMyAttributes', fields, validate: validate as Validator }
