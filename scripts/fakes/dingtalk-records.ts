import { splitMobile } from './country-code.ts'
import { companyName } from './department-names.ts'
import { departmentNumber } from './department-number.ts'
import type { FakeDepartment, FakePerson } from './organisation-data.ts'
import { rootDepartmentId } from './organisation-data.ts'
import type { CloudState } from './platform.ts'

/** The company itself, which is listed nowhere but can be asked for. */
export const dingtalkRoot: FakeDepartment = { id: rootDepartmentId, parentId: null, name: companyName }

export const dingtalkDepartment = (
  { id, parentId, name }: FakeDepartment,
  { idsOnly }: CloudState,
): Record<string, unknown> => {
  const ids =
    id === rootDepartmentId
      ? { dept_id: 1 }
      : { dept_id: departmentNumber(id), parent_id: departmentNumber(parentId ?? rootDepartmentId) }
  return idsOnly ? ids : { ...ids, name, create_dept_group: true, auto_add_user: true }
}

/** The person as a member of one department. What the app may not see is undefined, and so absent from the JSON. */
export const dingtalkUser = (
  person: FakePerson,
  departmentId: string,
  { organisation, idsOnly }: CloudState,
  visibleFields: { mobile: boolean; email: boolean },
): Record<string, unknown> => {
  const ids = {
    userid: person.id,
    unionid: person.unionId,
    dept_id_list: person.departmentIds.filter(organisation.sees).map(departmentNumber),
  }
  if (idsOnly) return ids
  const { countryCode, number } = splitMobile(person.mobile)
  return {
    userid: ids.userid,
    unionid: ids.unionid,
    name: person.name,
    avatar: person.avatar,
    state_code: visibleFields.mobile ? countryCode : undefined,
    mobile: visibleFields.mobile ? number : undefined,
    email: visibleFields.email ? person.mail : undefined,
    org_email: visibleFields.email ? '' : undefined,
    telephone: '',
    job_number: person.jobNumber,
    title: person.title,
    work_place: '',
    remark: '',
    dept_id_list: ids.dept_id_list,
    extension: person.englishName === '' ? '{}' : JSON.stringify({ englishName: person.englishName }),
    hired_date: hiredOn(person),
    dept_order: 1,
    active: person.state === 'active',
    admin: false,
    boss: false,
    leader: person.departmentIds[0] === departmentId && person.title.includes('Director'),
    hide_mobile: false,
    exclusive_account: false,
  }
}

/** Milliseconds; some day of the ten years before 2025, by the job number. */
const hiredOn = ({ jobNumber }: FakePerson): number =>
  Date.UTC(2015, 0, 1) + ((Number(jobNumber.slice(1)) || 0) % 3650) * 86_400_000

/** When the person left; null for a person who did not. */
export const leaveRecord = ({
  id,
  name,
  mobile,
  state,
  leftAt = '2026-01-30T09:00:00Z',
}: FakePerson): { userId: string; name: string; stateCode: string; mobile: string; leaveTime: string } | null => {
  if (state !== 'left') return null
  const { countryCode, number } = splitMobile(mobile)
  return { userId: id, name, stateCode: countryCode, mobile: number, leaveTime: leftAt }
}
