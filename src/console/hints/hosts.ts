import { addMySshKey } from '../generated/forms/addMySshKey.ts'
import { setPersonPosix } from '../generated/forms/setPersonPosix.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const sshKeyLayout = layoutOf(addMySshKey)({
  shown: ['name', 'key'],
  widgets: { key: 'textarea' },
  unexplained: ['key'],
})

export const numberLayout = layoutOf(setPersonPosix)({ shown: ['number'] })
