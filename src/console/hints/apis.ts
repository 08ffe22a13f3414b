import { addApi } from '../generated/forms/addApi.ts'
import { updateApi } from '../generated/forms/updateApi.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const addApiLayout = layoutOf(addApi)({
  shown: [['method', 'path'], 'category', 'remark'],
  widgets: { remark: 'textarea' },
})

export const updateApiLayout = layoutOf(updateApi)({
  shown: [['method', 'path'], 'category', 'remark'],
  given: ['id'],
  widgets: { remark: 'textarea' },
})
