import { addGroup } from '../generated/forms/addGroup.ts'
import { updateGroup } from '../generated/forms/updateGroup.ts'
import { groupFields } from '../generated/record-fields.ts'
import { ParentInput } from '../pages/groups/ParentInput.tsx'
import { layoutOf, valuesIn, withOthers } from '../ui/form-layout.ts'

export const addGroupLayout = layoutOf(addGroup)({
  shown: withOthers(['groupName', 'groupType', 'parentId', 'remark'], groupFields),
  widgets: {
    groupType: valuesIn('permissions', ({ permissions }) => permissions.groups.kindsLong),
    parentId: { input: (props) => <ParentInput {...props} /> },
    remark: 'textarea',
  },
  unexplained: ['groupType', 'parentId'],
})

export const updateGroupLayout = layoutOf(updateGroup)({
  shown: groupFields,
  given: ['id'],
  widgets: { remark: 'textarea' },
})
