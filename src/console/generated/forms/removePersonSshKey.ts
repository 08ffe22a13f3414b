// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/removePersonSshKey.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = { fingerprint: { type: 'text', required: true, maxLength: 60 } } as const satisfies Record<string, FormField>

export const removePersonSshKey: Form<'removePersonSshKey', typeof fields> = { operation: 'removePersonSshKey', fields, validate: validate as Validator }
