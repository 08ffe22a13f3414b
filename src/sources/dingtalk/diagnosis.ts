import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepPatience } from '../platform/examination.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
import type { Diagnosis } from '../source.ts'
import { statements } from '../statements.ts'
import { type DingtalkContacts, rootId } from './contacts.ts'

const member = statements.grant({ permission: 'qyapi_get_department_member' })
const mobile = statements.grant({ permission: 'fieldMobile' })
const mail = statements.grant({ permission: 'fieldEmail' })
/** Field of a person → the permission that shows it. */
const fields = {
  unionid: member,
  name: member,
  avatar: member,
  mobile,
  telephone: mobile,
  job_number: member,
  title: member,
  email: mail,
  org_email: mail,
  work_place: member,
  remark: member,
  dept_id_list: member,
  extension: member,
  hired_date: member,
}
const allEmployees = statements.all_employees()
/** The most departments of a scope that are requested by name. */
const mostShown = 20

export const diagnoseDingtalk = async (
  client: PlatformClient,
  contacts: DingtalkContacts,
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
    const whole = value.departments.includes(rootId)
    const { people } = value
    return whole
      ? { found: statements.whole_in_range(), value }
      : { found: statements.in_range({ departments: value.departments.length, people }), advice: allEmployees, value }
  })
  if (scope === null) return diagnosis

  const visible = await step('departments', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const below = await contacts.belowRoot(manner)
    if (below !== null)
      return {
        found: statements.root_visible({ departments: below.length }),
        value: { places: [rootId, ...below.map(idOf)], top: below },
      }
    const top: JsonObject[] = []
    for (const id of scope.departments.slice(0, mostShown)) top.push(await contacts.department(id, manner))
    const found = statements.root_hidden({ departments: scope.departments.length })
    return { found, advice: allEmployees, value: { places: top.map(idOf), top } }
  })
  if (visible === null) return diagnosis
  roots(visible.top.map((department) => textAt(department.name) || idOf(department)))

  await step('users', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const sample = await samplePeople(visible.places, (department) => contacts.members(department, manner))
    return {
      found: statements.sample_read({ people: sample.length }),
      advice: sample.length === 0 ? statements.none_directly() : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}

const idOf = (department: JsonObject): string => idAt(department.dept_id)
