import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepMaxPause } from '../platform/examination.ts'
import { idAt, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
import type { Diagnosis } from '../source.ts'
import { statements } from '../statements.ts'
import { rootId, topOf, type WecomContacts } from './contacts.ts'

const visible = statements.use_visible_app()
const withheld = statements.withheld_by_wecom()
/** Field of a person → what would show it. */
const fields = {
  name: visible,
  department: visible,
  position: visible,
  mobile: withheld,
  gender: withheld,
  email: withheld,
  biz_mail: withheld,
  avatar: withheld,
  telephone: visible,
  alias: visible,
  address: withheld,
  main_department: visible,
  open_userid: visible,
  status: visible,
  extattr: visible,
}
const idsAdvice = statements.ids_only()

export const diagnoseWecom = async (
  client: PlatformClient,
  contacts: WecomContacts,
  signal: AbortSignal,
): Promise<Diagnosis> => {
  const examination = createExamination(signal)
  const { diagnosis, step, roots, missing } = examination

  if (!(await examination.signsIn(client))) return diagnosis

  const departments = await step('departments', async (signal) => {
    const { rows, named } = await contacts.departments({ signal, maxPause: stepMaxPause })
    const whole = rows.some(({ id }) => idAt(id) === rootId)
    const found = statements[whole ? 'departments_with_root' : 'departments_without_root']({ departments: rows.length })
    const range = whole ? null : statements.whole_organisation()
    return {
      found: named ? found : statements.ids_alone({ found }),
      advice: named ? range : idsAdvice,
      value: rows,
    }
  })
  if (departments === null) return diagnosis
  roots(topOf(departments).map(({ id, name }) => textAt(name) || idAt(id)))

  await step('users', async (signal) => {
    const manner = { signal, maxPause: stepMaxPause }
    let ids = false
    const sample = await samplePeople(
      departments.map(({ id }) => idAt(id)),
      async function* (department) {
        const people = await contacts.members(department, manner)
        if (people !== null) yield people
        else {
          ids = true
          yield* contacts.ids(manner)
        }
      },
    )
    const without = missing(sample, fields)
    const empty = sample.length === 0 ? statements.none_directly() : null
    const found = statements.sample_read({ people: sample.length })
    return {
      found: ids ? statements.ids_alone({ found }) : found,
      advice: ids ? idsAdvice : (empty ?? without),
      value: sample,
    }
  })
  return diagnosis
}
