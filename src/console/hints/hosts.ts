import { addMySshKey } from '../generated/forms/addMySshKey.ts'
import { setDepartmentPosix } from '../generated/forms/setDepartmentPosix.ts'
import { setPersonPosix } from '../generated/forms/setPersonPosix.ts'
import { layoutOf } from '../ui/form-layout.ts'

export const sshKeyLayout = layoutOf(addMySshKey)({
  shown: ['name', 'key'],
  widgets: { key: 'textarea' },
  unexplained: ['key'],
})

export const personNumberLayout = layoutOf(setPersonPosix)({ shown: ['number'] })

export const groupNumberLayout = layoutOf(setDepartmentPosix)({ shown: ['number'], given: ['enabled'] })
