// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/syncExtLdapUsers.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {} as const satisfies Record<string, FormField>

export const syncExtLdapUsers: Form<'syncExtLdapUsers', typeof fields> = { operation: 'syncExtLdapUsers', fields, validate: validate as Validator }
