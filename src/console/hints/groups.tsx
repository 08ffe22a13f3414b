import { addGroup } from '../generated/forms/addGroup.ts'
import { updateGroup } from '../generated/forms/updateGroup.ts'
import type { Texts } from '../locales/en.ts'
import { ParentInput } from '../pages/groups/ParentInput.tsx'
import { layoutOf } from '../ui/form-layout.ts'

export const addGroupLayout = layoutOf(addGroup)({
  shown: ['groupName', 'groupType', 'parentId', 'remark'],
  widgets: {
    groupType: ({ permissions }: Texts) => permissions.groups.kindsLong,
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
