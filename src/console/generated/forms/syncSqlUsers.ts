// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncSqlUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { userIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const syncSqlUsers: Form<'syncSqlUsers', typeof fields> = { operation: 'syncSqlUsers', fields, validate: validate as Validator }
