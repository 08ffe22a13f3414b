// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncSqlGroups.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { groupIds: { type: 'list', maxItems: 10000 } } as const satisfies Record<string, FormField>

export const syncSqlGroups: Form<'syncSqlGroups', typeof fields> = { operation: 'syncSqlGroups', fields, validate: validate as Validator }
