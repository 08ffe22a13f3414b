// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncExtAUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {} as const satisfies Record<string, FormField>

export const syncExtAUsers: Form<'syncExtAUsers', typeof fields> = { operation: 'syncExtAUsers', fields, validate: validate as Validator }
