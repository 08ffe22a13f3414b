// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteMenus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { menuIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteMenus: Form<'deleteMenus', typeof fields> = { operation: 'deleteMenus', fields, validate: validate as Validator }
