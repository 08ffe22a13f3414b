import { splitMobile } from './country-code.ts'
import { companyName } from './department-names.ts'
import {
  type DepartmentIdType,
  departmentIdAs,
  openDepartmentId,
  openId,
  type UserIdType,
  unionIdOf,
} from './feishu-ids.ts'
import type { FakeDepartment, FakePerson } from './organisation-data.ts'
import { rootDepartmentId } from './organisation-data.ts'
import type { CloudState } from './platform.ts'

/** The company itself, which is listed nowhere but can be asked for. */
export const feishuRoot: FakeDepartment = { id: rootDepartmentId, parentId: null, name: companyName }

/** What the app may not see is undefined, and so absent from the JSON. */
export const feishuDepartment = (
  department: FakeDepartment,
  type: DepartmentIdType,
  { organisation, idsOnly }: CloudState,
  visible: { base: boolean; tree: boolean },
): Record<string, unknown> => {
  const { id, parentId, name } = department
  const parent = department === feishuRoot ? '0' : departmentIdAs(parentId ?? rootDepartmentId, type)
  const [base, tree] = [visible.base && !idsOnly, visible.tree && !idsOnly]
  return {
    name: base ? name : undefined,
    i18n_name: base ? { zh_cn: '', en_us: '', ja_jp: '' } : undefined,
    parent_department_id: visible.tree ? parent : undefined,
    department_id: visible.base ? departmentIdAs(id, 'department_id') : undefined,
    open_department_id: openDepartmentId(id),
    leader_user_id: tree ? '' : undefined,
    chat_id: tree ? '' : undefined,
    order: tree ? '0' : undefined,
    member_count: tree ? organisation.members(id).length : undefined,
    status: { is_deleted: false },
  }
}

/** The fields of people that the app may see, by the permission they need. */
export interface VisibleFields {
  base: boolean
  userId: boolean
  email: boolean
  mobile: boolean
  department: boolean
  employee: boolean
}

/** What the app may not see is undefined, and so absent from the JSON. */
export const feishuUser = (
  person: FakePerson,
  type: DepartmentIdType,
  { organisation, idsOnly }: CloudState,
  visible: VisibleFields,
): Record<string, unknown> => {
  const [open_id, union_id] = [openId(person.id), unionIdOf(person.unionId)]
  if (idsOnly) return { open_id, union_id }
  const { base, userId, email, mobile, department, employee } = visible
  const { countryCode, number } = splitMobile(person.mobile)
  const places = person.departmentIds.filter(organisation.sees).map((id) => departmentIdAs(id, type))
  return {
    union_id,
    user_id: userId ? person.id : undefined,
    open_id,
    name: base ? person.name : undefined,
    en_name: base ? person.englishName : undefined,
    nickname: base ? '' : undefined,
    email: email ? person.mail : undefined,
    enterprise_email: email ? '' : undefined,
    mobile: mobile ? number && `+${countryCode}${number}` : undefined,
    mobile_visible: mobile ? true : undefined,
    gender: base ? 0 : undefined,
    avatar: base ? avatarOf(person) : undefined,
    status: base ? statusOf(person) : undefined,
    department_ids: department ? places : undefined,
    leader_user_id: department ? '' : undefined,
    city: employee ? '' : undefined,
    country: employee ? '' : undefined,
    work_station: employee ? '' : undefined,
    join_time: employee ? 0 : undefined,
    employee_no: employee ? person.jobNumber : undefined,
    employee_type: employee ? 1 : undefined,
    orders: department ? places.map(order) : undefined,
    job_title: employee ? person.title : undefined,
    custom_attrs: employee ? [] : undefined,
  }
}

/** A person of the scope, outside any department, by the type of id that was asked for. */
export const userIdAs = ({ id, unionId }: FakePerson, type: UserIdType): string =>
  type === 'open_id' ? openId(id) : type === 'union_id' ? unionIdOf(unionId) : id

const avatarOf = ({ avatar }: FakePerson): Record<string, string> => ({
  avatar_72: avatar === '' ? '' : `${avatar}?size=72`,
  avatar_240: avatar === '' ? '' : `${avatar}?size=240`,
  avatar_640: avatar === '' ? '' : `${avatar}?size=640`,
  avatar_origin: avatar,
})

const statusOf = ({ state }: FakePerson): Record<string, boolean> => ({
  is_frozen: state === 'disabled',
  is_resigned: state === 'left',
  is_activated: state === 'active' || state === 'disabled',
  is_exited: false,
  is_unjoin: state === 'invited',
})

const order = (department_id: string): Record<string, unknown> => ({
  department_id,
  user_order: 0,
  department_order: 1,
  is_primary_dept: true,
})
