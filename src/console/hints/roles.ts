import { addRole } from '../generated/forms/addRole.ts'
import { updateRole } from '../generated/forms/updateRole.ts'
import { layoutOf, valuesIn } from '../ui/form-layout.ts'

const status = valuesIn('permissions', ({ permissions }) => permissions.menus.statusValues)

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
