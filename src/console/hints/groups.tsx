import { addGroup } from '../generated/forms/addGroup.ts'
import { updateGroup } from '../generated/forms/updateGroup.ts'
import { ParentInput } from '../pages/groups/ParentInput.tsx'
import { layoutOf, valuesIn } from '../ui/form-layout.ts'

export const addGroupLayout = layoutOf(addGroup)({
  shown: ['groupName', 'groupType', 'parentId', 'remark'],
  widgets: {
    groupType: valuesIn('permissions', ({ permissions }) => permissions.groups.kindsLong),
    parentId: { input: (props) => <ParentInput {...props} /> },
    remark: 'textarea',
  },
  unexplained: ['groupType', 'parentId'],
})

export const updateGroupLayout = layoutOf(updateGroup)({
  shown: ['groupName', 'remark'],
  given: ['id'],
  widgets: { remark: 'textarea' },
})
