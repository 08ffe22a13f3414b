import { splitMobile } from './country-code.ts'
import { companyName } from './department-names.ts'
import { departmentNumber } from './department-number.ts'
import type { FakeDepartment, FakePerson } from './organisation-data.ts'
import { rootDepartmentId } from './organisation-data.ts'
import type { CloudState } from './platform.ts'

/** The company itself, which is a department like the others here. */
export const wecomRoot: FakeDepartment = { id: rootDepartmentId, parentId: null, name: companyName }

/** The ids alone, as the simple list has them. */
export const wecomDepartmentIds = (department: FakeDepartment): Record<string, unknown> => ({
  id: departmentNumber(department.id),
  parentid: department === wecomRoot ? 0 : departmentNumber(department.parentId ?? rootDepartmentId),
  order: 100_000_000 - departmentNumber(department.id),
})

export const wecomDepartment = (department: FakeDepartment): Record<string, unknown> => ({
  ...wecomDepartmentIds(department),
  name: department.name,
  name_en: '',
  department_leader: [],
})

const statuses: Readonly<Record<FakePerson['state'], number>> = { active: 1, disabled: 2, invited: 4, left: 5 }

/** What only apps from before 2022 may see. */
export const contactScopes = ['mobile', 'email', 'biz_mail', 'avatar', 'gender', 'address'] as const

/** What the app may not see is undefined, and so absent from the JSON. */
export const wecomUser = (person: FakePerson, { organisation, may }: CloudState): Record<string, unknown> => {
  const department = person.departmentIds.filter(organisation.sees).map(departmentNumber)
  const { countryCode, number } = splitMobile(person.mobile)
  const record: Record<string, unknown> = {
    userid: person.id,
    name: person.name,
    department,
    order: department.map(() => 0),
    is_leader_in_dept: department.map(() => 0),
    direct_leader: [],
    position: person.title,
    mobile: countryCode === '86' ? number : person.mobile,
    gender: '0',
    email: person.mail,
    biz_mail: '',
    avatar: person.avatar,
    telephone: '',
    alias: person.englishName,
    address: '',
    main_department: department[0] ?? 1,
    open_userid: person.unionId,
    status: statuses[person.state],
    isleader: 0,
    enable: person.state === 'disabled' ? 0 : 1,
    hide_mobile: 0,
    extattr: {
      attrs:
        person.jobNumber === ''
          ? []
          : [{ type: 0, name: '工号', value: person.jobNumber, text: { value: person.jobNumber } }],
    },
  }
  for (const field of contactScopes) if (!may(field)) record[field] = undefined
  return record
}
