import { addRole } from '../generated/forms/addRole.ts'
import { updateRole } from '../generated/forms/updateRole.ts'
import type { Texts } from '../locales/en.ts'
import { layoutOf } from '../ui/form-layout.ts'

const status = ({ permissions }: Texts) => permissions.menus.statusValues

export const addRoleLayout = layoutOf(addRole)({
  shown: [['name', 'keyword'], ['sort', 'status'], 'remark'],
  widgets: { remark: 'textarea', status },
  unexplained: ['status', 'sort'],
})

export const updateRoleLayout = layoutOf(updateRole)({
  shown: [['name', 'keyword'], ['sort', 'status'], 'remark'],
  given: ['id'],
  widgets: { remark: 'textarea', status },
  unexplained: ['status', 'sort'],
})
