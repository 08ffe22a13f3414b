import { feishuContacts, rootId } from './feishu/contacts.ts'
import { diagnoseFeishu } from './feishu/diagnosis.ts'
import { type FeishuSettings, feishuProtocol, noPermission, tooMuchBelow } from './feishu/protocol.ts'
import { inBatches } from './platform/batches.ts'
import { type ClientOptions, createPlatformClient, type ListManner } from './platform/client.ts'
import { createHidden } from './platform/hidden.ts'
import { createIdentified, type Identify } from './platform/identified.ts'
import { departmentsOf, idAt, type JsonObject, objectAt, textAt } from './platform/json.ts'
import { Refusal } from './platform/refusal.ts'
import { reportScope } from './platform/scope.ts'
import { readTogether } from './platform/together.ts'
import type { Reading, Source, SourceDepartment, SourceUser } from './source.ts'
import { statements } from './statements.ts'

export type { FeishuSettings } from './feishu/protocol.ts'

/** Departments read at the same time; an app may make a thousand calls a minute. */
const atOnce = 4

/** One thing to read: a department itself, all below it, or the people directly in it. */
interface Place {
  part: 'itself' | 'below' | 'members'
  department: string
}

/** An organisation on Feishu, or on Lark, its international edition. */
export const feishuSource = (settings: FeishuSettings, options: ClientOptions): Source => {
  const client = createPlatformClient(feishuProtocol(settings), options)
  const contacts = feishuContacts(client, settings)

  /** Where to start reading; reports what will be missing when that is not the root. */
  const starts = async ({ signal, gap }: Reading, identify: Identify): Promise<string[]> => {
    const scope = await contacts.scope({ signal })
    // The scope does not tell: it lists the departments below the root, whether the root is in it or not.
    if ((await contacts.belowRoot({ signal, identify })) !== null) return [rootId]
    reportScope('Feishu', scope, widen, gap)
    return scope.departments
  }
  const read = async function* <Row>(
    reading: Reading,
    parts: readonly Place['part'][],
    visit: (place: Place, found: (place: Place) => void, manner: ListManner) => AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<readonly Row[]> {
    const hidden = createHidden(reading, widen)
    const identified = createIdentified(reading, client)
    const { identify } = identified
    const departments = await starts(reading, identify)
    const places = departments.flatMap((department) => parts.map((part) => ({ part, department })))
    const visible = places.filter(({ part, department }) => part !== 'itself' || department !== rootId)
    yield* readTogether<Place, Row>(visible, {
      keyOf: ({ part, department }) => `${part} ${department}`,
      max: atOnce,
      signal: reading.signal,
      async *read(place, found, signal) {
        try {
          yield* visit(place, found, { signal, identify })
          hidden.read()
        } catch (error) {
          hidden.add(place.department, error, noPermission)
        }
      },
    })
    identified.report()
    hidden.report()
  }

  /** All departments below one; level by level where Feishu refuses a single list as too long. */
  const below = async function* (department: string, found: (place: Place) => void, manner: ListManner) {
    try {
      for await (const page of contacts.departments(department, 'all', manner)) yield page.filter(exists)
    } catch (error) {
      if (!(error instanceof Refusal && error.code === tooMuchBelow)) throw error
      for await (const page of contacts.departments(department, 'next', manner)) {
        const rows = page.filter(exists)
        for (const row of rows) found({ part: 'below', department: idOf(row) })
        yield rows
      }
    }
  }

  return {
    connector: 'feishu',
    rootId,
    departments: (reading) =>
      inBatches(
        read(reading, ['itself', 'below'], async function* ({ part, department }, found, manner) {
          if (part === 'itself') yield [asDepartment(await contacts.department(department, manner))]
          else for await (const rows of below(department, found, manner)) yield rows.map(asDepartment)
        }),
      ),
    users: (reading) =>
      inBatches(
        read(reading, ['below', 'members'], async function* ({ part, department }, found, manner) {
          if (part === 'members')
            for await (const page of contacts.members(department, manner))
              yield page.map((row) => asUser(row, department))
          else
            for await (const rows of below(department, found, manner))
              for (const row of rows) found({ part: 'members', department: idOf(row) })
        }),
      ),
    diagnose: (signal) => diagnoseFeishu(client, contacts, signal),
    async close() {
      client.close()
    },
  }
}

const widen = statements.widen_feishu()

const idOf = (record: JsonObject): string => idAt(record.open_department_id)

const exists = (record: JsonObject): boolean => objectAt(record.status).is_deleted !== true

const asDepartment = (record: JsonObject): SourceDepartment => ({
  id: idOf(record),
  parentId: idAt(record.parent_department_id) || rootId,
  record,
})

const asUser = (record: JsonObject, department: string): SourceUser => {
  const { is_resigned, is_frozen, is_exited } = objectAt(record.status)
  return {
    id: idAt(record.open_id),
    unionId: textAt(record.union_id),
    departmentIds: departmentsOf(record.department_ids, [department]),
    active: is_resigned !== true && is_frozen !== true && is_exited !== true,
    record,
  }
}
