// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/addMenu.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  name: { type: 'text', required: true, minLength: 1, maxLength: 50, help: 'Unique; the route\'s name in the console' },
  title: { type: 'text', required: true, minLength: 1, maxLength: 50, help: 'The text that is shown' },
  path: { type: 'text', required: true, minLength: 1, maxLength: 100, help: 'The route\'s path' },
  component: { type: 'text', required: true, minLength: 1, maxLength: 100, help: 'The console\'s component' },
  parentId: {
    type: 'integer',
    minimum: 0,
    maximum: 9007199254740991,
    format: 'int64',
    help: 'The parent\'s id, or 0 for no parent',
  },
  icon: { type: 'text', minLength: 0, maxLength: 50 },
  redirect: { type: 'text', minLength: 0, maxLength: 100, help: 'The path that the route redirects to' },
  activeMenu: {
    type: 'text',
    minLength: 0,
    maxLength: 100,
    help: 'The path of the menu to highlight instead of this one',
  },
  sort: { type: 'integer', minimum: 1, maximum: 999 },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
  hidden: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  alwaysShow: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  noCache: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  breadcrumb: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
} as const satisfies Record<string, FormField>

export const addMenu: Form<'addMenu', typeof fields> = { operation: 'addMenu', fields, validate: validate as Validator }
