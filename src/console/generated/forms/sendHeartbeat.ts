// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/sendHeartbeat.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  battery: { type: 'integer', minimum: 0, maximum: 100, help: 'Per cent; absent where the device reports none' },
  status: { type: 'text', values: ['online', 'offline'], help: 'Without it `online`; `offline` signs off' },
} as const satisfies Record<string, FormField>

export const sendHeartbeat: Form<'sendHeartbeat', typeof fields> = { operation: 'sendHeartbeat', fields, validate: validate as Validator }
