import { addUser } from '../generated/forms/addUser.ts'
import { updateUser } from '../generated/forms/updateUser.ts'
import { userFields } from '../generated/record-fields.ts'
import { DepartmentPicker } from '../ui/DepartmentPicker.tsx'
import { type InputProps, layoutOf, withOthers } from '../ui/form-layout.ts'
import { RolePicker } from '../ui/RolePicker.tsx'

const idsOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((each): each is number => typeof each === 'number') : []

const departments = {
  input: ({ value, ...props }: InputProps) => <DepartmentPicker {...props} value={idsOf(value)} />,
}
const roles = { input: ({ value, ...props }: InputProps) => <RolePicker {...props} value={idsOf(value)} /> }

/** What is asked for a new person. */
export const hireLayout = layoutOf(addUser)({
  shown: withOthers(
    [
      ['nickname', 'username'],
      ['mail', 'mobile'],
      ['jobNumber', 'position'],
      'departmentId',
      'roleIds',
      'password',
      ['givenName', 'postalAddress'],
      'introduction',
    ],
    userFields,
    ['avatar', 'departments'],
  ),
  optional: ['mobile'],
  unexplained: ['nickname', 'mobile', 'position', 'password'],
  widgets: { password: 'new-password', introduction: 'textarea', departmentId: departments, roleIds: roles },
})

/** A person's profile; departments and roles have tabs of their own. */
export const profileLayout = layoutOf(updateUser)({
  shown: withOthers(
    [
      ['nickname', 'givenName'],
      ['username', 'jobNumber'],
      ['mail', 'mobile'],
      ['position', 'postalAddress'],
      'introduction',
      'departments',
    ],
    userFields,
    ['avatar'],
  ),
  given: ['id', 'departmentId', 'roleIds'],
  unexplained: ['mobile'],
  widgets: { introduction: 'textarea' },
})
