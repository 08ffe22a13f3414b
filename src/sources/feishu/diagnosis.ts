import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepMaxPause } from '../platform/examination.ts'
import { samplePeople } from '../platform/sample.ts'
import { visibleDepartments } from '../platform/visible-departments.ts'
import type { Diagnosis } from '../source.ts'
import { statements } from '../statements.ts'
import { type FeishuContacts, rootId } from './contacts.ts'

const granting = (permission: string) => statements.grant({ permission: `contact:user.${permission}:readonly` })
const base = granting('base')
const employee = granting('employee')
const department = granting('department')
/** Field of a person → the permission that shows it. */
const fields = {
  union_id: base,
  user_id: granting('employee_id'),
  name: base,
  en_name: base,
  nickname: base,
  email: granting('email'),
  enterprise_email: employee,
  mobile: granting('phone'),
  gender: granting('gender'),
  avatar: base,
  status: employee,
  department_ids: department,
  leader_user_id: department,
  city: employee,
  work_station: employee,
  join_time: employee,
  employee_no: employee,
  job_title: employee,
  orders: department,
  custom_attrs: employee,
}

export const diagnoseFeishu = async (
  client: PlatformClient,
  contacts: FeishuContacts,
  signal: AbortSignal,
): Promise<Diagnosis> => {
  const examination = createExamination(signal)
  const { diagnosis, step, missing } = examination

  if (!(await examination.signsIn(client))) return diagnosis

  const scope = await step('scopes', async (signal) => {
    const value = await contacts.scope({ signal, maxPause: stepMaxPause })
    const nothing = value.departments.length + value.people.length === 0
    return {
      found: statements.in_range({ departments: value.departments.length, people: value.people.length }),
      advice: nothing ? allMembers : null,
      value,
    }
  })
  if (scope === null) return diagnosis

  const places = await visibleDepartments(examination, {
    ...{ contacts, rootId, scope: scope.departments, idField: 'open_department_id' },
    ...{ rootVisible: statements.root_visible_at_first, advice: allMembers },
  })
  if (places === null) return diagnosis

  await step('users', async (signal) => {
    const sample = await samplePeople(places, (id) => contacts.members(id, { signal, maxPause: stepMaxPause }))
    return {
      found: statements.sample_read({ people: sample.length }),
      advice: sample.length === 0 ? statements.none_directly() : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}

const allMembers = statements.all_members()
