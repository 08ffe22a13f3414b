// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncExtBUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {} as const satisfies Record<string, FormField>

export const syncExtBUsers: Form<'syncExtBUsers', typeof fields> = { operation: 'syncExtBUsers', fields, validate: validate as Validator }
