// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setDeviceStatus.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { status: { type: 'text', required: true, values: ['online', 'offline'] } } as const satisfies Record<string, FormField>

export const setDeviceStatus: Form<'setDeviceStatus', typeof fields> = { operation: 'setDeviceStatus', fields, validate: validate as Validator }
