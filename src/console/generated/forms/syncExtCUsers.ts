// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncExtCUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {} as const satisfies Record<string, FormField>

export const syncExtCUsers: Form<'syncExtCUsers', typeof fields> = { operation: 'syncExtCUsers', fields, validate: validate as Validator }
