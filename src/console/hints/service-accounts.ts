import { createServiceAccount } from '../generated/forms/createServiceAccount.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const serviceAccountLayout = layoutOf(createServiceAccount)({
  shown: ['name', 'description', 'people', 'peopleFilter', 'groups', 'groupFilter', 'ntHashes'],
  widgets: { description: 'textarea' },
  unexplained: ['people', 'groups'],
})
