// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteFieldRelations.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { fieldRelationIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteFieldRelations: Form<'deleteFieldRelations', typeof fields> = { operation: 'deleteFieldRelations', fields, validate: validate as Validator }
