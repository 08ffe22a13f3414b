// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteApis.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { apiIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteApis: Form<'deleteApis', typeof fields> = { operation: 'deleteApis', fields, validate: validate as Validator }
