import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepMaxPause } from '../platform/examination.ts'
import { samplePeople } from '../platform/sample.ts'
import { visibleDepartments } from '../platform/visible-departments.ts'
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

export const diagnoseDingtalk = async (
  client: PlatformClient,
  contacts: DingtalkContacts,
  signal: AbortSignal,
): Promise<Diagnosis> => {
  const examination = createExamination(signal)
  const { diagnosis, step, missing } = examination

  if (!(await examination.signsIn(client))) return diagnosis

  const scope = await step('scopes', async (signal) => {
    const value = await contacts.scope({ signal, maxPause: stepMaxPause })
    const whole = value.departments.includes(rootId)
    const people = value.people.length
    return whole
      ? { found: statements.whole_in_range(), value }
      : { found: statements.in_range({ departments: value.departments.length, people }), advice: allEmployees, value }
  })
  if (scope === null) return diagnosis

  const places = await visibleDepartments(examination, {
    ...{ contacts, rootId, scope: scope.departments, idField: 'dept_id' },
    ...{ rootVisible: statements.root_visible, advice: allEmployees },
  })
  if (places === null) return diagnosis

  await step('users', async (signal) => {
    const manner = { signal, maxPause: stepMaxPause }
    const sample = await samplePeople(places, (department) => contacts.members(department, manner))
    return {
      found: statements.sample_read({ people: sample.length }),
      advice: sample.length === 0 ? statements.none_directly() : missing(sample, fields),
      value: sample,
    }
  })
  return diagnosis
}
