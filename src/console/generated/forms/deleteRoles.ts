// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteRoles.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { roleIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteRoles: Form<'deleteRoles', typeof fields> = { operation: 'deleteRoles', fields, validate: validate as Validator }
