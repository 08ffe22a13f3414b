import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepPatience } from '../platform/examination.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
import type { Diagnosis } from '../source.ts'
import { type FeishuContacts, rootId } from './contacts.ts'

const base = 'grant contact:user.base:readonly'
const employee = 'grant contact:user.employee:readonly'
const department = 'grant contact:user.department:readonly'
/** Field of a person → the permission that shows it. */
const fields = {
  union_id: base,
  user_id: 'grant contact:user.employee_id:readonly',
  name: base,
  en_name: base,
  nickname: base,
  email: 'grant contact:user.email:readonly',
  enterprise_email: employee,
  mobile: 'grant contact:user.phone:readonly',
  gender: 'grant contact:user.gender:readonly',
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
  const { diagnosis, step, roots, missing } = createExamination(signal)

  const token = await step('token', async (signal) => {
    await client.signIn(signal)
    return { found: 'Feishu issued an access token', value: true }
  })
  if (token === null) return diagnosis

  const scope = await step('scopes', async (signal) => {
    const value = await contacts.scope({ signal, patience: stepPatience })
    const nothing = value.departments.length + value.people === 0
    return {
      found: `${value.departments.length} departments and ${value.people} single people are in the app’s range`,
      advice: nothing ? allMembers : '',
      value,
    }
  })
  if (scope === null) return diagnosis

  const visible = await step('departments', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const below = await contacts.belowRoot(manner)
    if (below !== null)
      return {
        found: `the root is visible, and directly below it ${below.length} departments at first glance`,
        value: { places: [rootId, ...below.map(idOf)], top: below },
      }
    const top: JsonObject[] = []
    for (const id of scope.departments.slice(0, mostShown)) top.push(await contacts.department(id, manner))
    const found = `the root is not visible, only ${scope.departments.length} departments below it`
    return { found, advice: allMembers, value: { places: top.map(idOf), top } }
  })
  if (visible === null) return diagnosis
  roots(visible.top.map((department) => textAt(department.name) || idOf(department)))

  await step('users', async (signal) => {
    const { places } = visible
    const sample = await samplePeople(places, (id) => contacts.members(id, { signal, patience: stepPatience }))
    return {
      found: `a sample of ${sample.length} people was read`,
      advice: sample.length === 0 ? 'No person is directly in the first departments.' : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}

const idOf = (department: JsonObject): string => idAt(department.open_department_id)

const allMembers = 'Set the range of contacts that the app may see to all members.'
/** Departments of a range that are asked for by name. */
const mostShown = 20
