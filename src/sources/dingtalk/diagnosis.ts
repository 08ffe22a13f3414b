import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepPatience } from '../platform/examination.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
import type { Diagnosis } from '../source.ts'
import { type DingtalkContacts, rootId } from './contacts.ts'

const member = 'grant qyapi_get_department_member'
/** Field of a person → the permission that shows it. */
const fields = {
  unionid: member,
  name: member,
  avatar: member,
  mobile: 'grant fieldMobile',
  telephone: 'grant fieldMobile',
  job_number: member,
  title: member,
  email: 'grant fieldEmail',
  org_email: 'grant fieldEmail',
  work_place: member,
  remark: member,
  dept_id_list: member,
  extension: member,
  hired_date: member,
}
const allEmployees = 'Widen the range of departments that the app may see to all employees.'
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
    return { found: 'DingTalk issued an access token', value: true }
  })
  if (token === null) return diagnosis

  const scope = await step('scopes', async (signal) => {
    const value = await contacts.scope({ signal, patience: stepPatience })
    const whole = value.departments.includes(rootId)
    const range = `${value.departments.length} departments and ${value.people} single people are in the app’s range`
    return whole
      ? { found: 'the whole organisation is in the app’s range', value }
      : { found: range, advice: allEmployees, value }
  })
  if (scope === null) return diagnosis

  const visible = await step('departments', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const below = await contacts.belowRoot(manner)
    if (below !== null)
      return {
        found: `the root is visible, and directly below it ${below.length} departments`,
        value: { places: [rootId, ...below.map(idOf)], top: below },
      }
    const top: JsonObject[] = []
    for (const id of scope.departments.slice(0, mostShown)) top.push(await contacts.department(id, manner))
    const found = `the root is not visible, only ${scope.departments.length} departments below it`
    return { found, advice: allEmployees, value: { places: top.map(idOf), top } }
  })
  if (visible === null) return diagnosis
  roots(visible.top.map((department) => textAt(department.name) || idOf(department)))

  await step('users', async (signal) => {
    const manner = { signal, patience: stepPatience }
    const sample = await samplePeople(visible.places, (department) => contacts.members(department, manner))
    return {
      found: `a sample of ${sample.length} people was read`,
      advice: sample.length === 0 ? 'No person is directly in the first departments.' : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}

const idOf = (department: JsonObject): string => idAt(department.dept_id)
