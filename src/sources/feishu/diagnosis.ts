import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepPatience } from '../platform/examination.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
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
  const { diagnosis, step, roots, missing } = createExamination(signal)

  const token = await step('token', async (signal) => {
    await client.signIn(signal)
    return { found: statements.token_issued({ platform: client.platform }), value: true }
  })
  if (token === null) return diagnosis

  const scope = await step('scopes', async (signal) => {
    const value = await contacts.scope({ signal, patience: stepPatience })
    const nothing = value.departments.length + value.people === 0
    return {
      found: statements.in_range({ departments: value.departments.length, people: value.people }),
      advice: nothing ? allMembers : null,
      value,
    }
  })
  if (scope === null) return diagnosis

  const visible = await step('departments', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const below = await contacts.belowRoot(manner)
    if (below !== null)
      return {
        found: statements.root_visible_at_first({ departments: below.length }),
        value: { places: [rootId, ...below.map(idOf)], top: below },
      }
    const top: JsonObject[] = []
    for (const id of scope.departments.slice(0, mostShown)) top.push(await contacts.department(id, manner))
    const found = statements.root_hidden({ departments: scope.departments.length })
    return { found, advice: allMembers, value: { places: top.map(idOf), top } }
  })
  if (visible === null) return diagnosis
  roots(visible.top.map((department) => textAt(department.name) || idOf(department)))

  await step('users', async (signal) => {
    const { places } = visible
    const sample = await samplePeople(places, (id) => contacts.members(id, { signal, patience: stepPatience }))
    return {
      found: statements.sample_read({ people: sample.length }),
      advice: sample.length === 0 ? statements.none_directly() : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}

const idOf = (department: JsonObject): string => idAt(department.open_department_id)

const allMembers = statements.all_members()
/** Departments of a range that are asked for by name. */
const mostShown = 20
