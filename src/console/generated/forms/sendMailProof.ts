// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/sendMailProof.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { mail: { type: 'text', required: true, minLength: 3, maxLength: 100, help: 'A mail address in ASCII' } } as const satisfies Record<string, FormField>

export const sendMailProof: Form<'sendMailProof', typeof fields> = { operation: 'sendMailProof', fields, validate: validate as Validator }
