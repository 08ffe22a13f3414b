// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/confirmTotp.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { code: { type: 'text', required: true, minLength: 6, maxLength: 6, help: 'Six digits' } } as const satisfies Record<string, FormField>

export const confirmTotp: Form<'confirmTotp', typeof fields> = { operation: 'confirmTotp', fields, validate: validate as Validator }
