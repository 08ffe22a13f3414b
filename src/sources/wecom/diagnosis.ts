import type { PlatformClient } from '../platform/client.ts'
import { createExamination, stepPatience } from '../platform/examination.ts'
import { idAt, type JsonObject, textAt } from '../platform/json.ts'
import { samplePeople } from '../platform/sample.ts'
import type { Diagnosis } from '../source.ts'
import { rootId, type WecomContacts } from './contacts.ts'

const visible = 'use the secret of an app whose range holds the person'
const withheld = 'apps made since June 2022 do not get it; each person may grant it by signing in, or keep it elsewhere'
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
const idsAdvice =
  'This secret may only ask for ids. For names, use the secret of an app that may read the contacts, and add this server’s address to its trusted addresses.'

export const diagnoseWecom = async (
  client: PlatformClient,
  contacts: WecomContacts,
  signal: AbortSignal,
): Promise<Diagnosis> => {
  const { diagnosis, step, roots, missing } = createExamination(signal)

  const token = await step('token', async (signal) => {
    await client.signIn(signal)
    return { found: 'WeCom issued an access token', value: true }
  })
  if (token === null) return diagnosis

  const departments = await step('departments', async (signal) => {
    const { rows, named } = await contacts.departments({ signal, patience: stepPatience })
    const whole = rows.some(({ id }) => idAt(id) === rootId)
    const found = `${rows.length} departments are visible, ${whole ? 'the root among them' : 'the root is not among them'}`
    const range = whole ? '' : 'Widen the range of departments that the app may see to the whole organisation.'
    return { found: named ? found : `${found}, by their ids alone`, advice: named ? range : idsAdvice, value: rows }
  })
  if (departments === null) return diagnosis
  roots(topOf(departments).map(({ id, name }) => textAt(name) || idAt(id)))

  await step('users', async (signal) => {
    const manner = { signal, patience: stepPatience }
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
    const empty = sample.length === 0 ? 'No person is directly in the first departments.' : ''
    return {
      found: `a sample of ${sample.length} people was read${ids ? ', by their ids alone' : ''}`,
      advice: ids ? idsAdvice : empty || without,
      value: sample,
    }
  })
  return diagnosis
}

/** The departments directly below the organisation, and those whose parent is not visible. */
const topOf = (rows: readonly JsonObject[]): JsonObject[] => {
  const below = new Set(rows.map(({ id }) => idAt(id)).filter((id) => id !== rootId))
  return rows.filter(({ id, parentid }) => idAt(id) !== rootId && !below.has(idAt(parentid)))
}
