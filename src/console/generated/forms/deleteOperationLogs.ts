// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/deleteOperationLogs.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { operationLogIds: { type: 'list', required: true, maxItems: 10000 } } as const satisfies Record<string, FormField>

export const deleteOperationLogs: Form<'deleteOperationLogs', typeof fields> = { operation: 'deleteOperationLogs', fields, validate: validate as Validator }
