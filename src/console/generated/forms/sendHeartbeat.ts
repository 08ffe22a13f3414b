// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/sendHeartbeat.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  battery: {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    help: 'Per cent; absent if the device does not report a battery',
  },
  status: {
    type: 'text',
    values: ['online', 'offline'],
    help: '`offline` before the device is switched off; `online` if absent',
  },
} as const satisfies Record<string, FormField>

export const sendHeartbeat: Form<'sendHeartbeat', typeof fields> = { operation: 'sendHeartbeat', fields, validate: validate as Validator }
