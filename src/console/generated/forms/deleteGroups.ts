// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteGroups.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { groupIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteGroups: Form<'deleteGroups', typeof fields> = { operation: 'deleteGroups', fields, validate: validate as Validator }
