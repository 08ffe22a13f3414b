// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.
import validate from '../validators/updateMenu.ts'
import type { Form, FormField, Validator } from '../form.ts'

const fields = {
  id: { type: 'integer', required: true, minimum: 1, maximum: 9007199254740991, format: 'int64' },
  name: { type: 'text', required: true, minLength: 1, maxLength: 50 },
  title: { type: 'text', required: true, minLength: 1, maxLength: 50 },
  path: { type: 'text', required: true, minLength: 1, maxLength: 100 },
  component: { type: 'text', minLength: 0, maxLength: 100 },
  parentId: {
    type: 'integer',
    minimum: 0,
    maximum: 9007199254740991,
    format: 'int64',
    help: 'The parent\'s id, or 0 for no parent',
  },
  icon: { type: 'text', minLength: 0, maxLength: 50 },
  redirect: { type: 'text', minLength: 0, maxLength: 100 },
  activeMenu: { type: 'text', minLength: 0, maxLength: 100 },
  sort: { type: 'integer', minimum: 1, maximum: 999 },
  status: { type: 'integer', values: [1, 2], help: '1 enabled, 2 disabled' },
  hidden: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  alwaysShow: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  noCache: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  breadcrumb: { type: 'integer', values: [1, 2], help: '1 yes, 2 no' },
  version: {
    type: 'text',
    maxLength: 32,
    help: 'Changes with every change of the record, including its memberships and grants. In the request of an update it is optional: with it, the update is refused (409, `db.changed_meanwhile`) if another request has changed the record since this version was read. Roles, menus and API entries contain it; for people and groups the Operations API returns it.',
  },
} as const satisfies Record<string, FormField>

export const updateMenu: Form<'updateMenu', typeof fields> = { operation: 'updateMenu', fields, validate: validate as Validator }
