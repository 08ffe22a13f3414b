// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/setDepartmentPosix.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  enabled: { type: 'boolean', help: 'Has no effect where `POSIX_ACCOUNTS` is `all`' },
  number: { type: 'integer', minimum: 500, maximum: 4294967293, format: 'int64' },
} as const satisfies Record<string, FormField>

export const setDepartmentPosix: Form<'setDepartmentPosix', typeof fields> = { operation: 'setDepartmentPosix', fields, validate: validate as Validator }
