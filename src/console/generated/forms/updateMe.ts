// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateMe.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', minLength: 1, maxLength: 50 },
  language: {
    type: 'text',
    values: ['', 'zh-CN', 'en'],
    help: 'The language of the web console; empty for the language of the browser',
  },
  theme: {
    type: 'text',
    values: ['', 'light', 'dark'],
    help: 'The theme of the web console; empty for the theme of the system',
  },
} as const satisfies Record<string, FormField>

export const updateMe: Form<'updateMe', typeof fields> = { operation: 'updateMe', fields, validate: validate as Validator }
