import { dingtalkContacts, rootId } from './dingtalk/contacts.ts'
import { diagnoseDingtalk } from './dingtalk/diagnosis.ts'
import { type DingtalkSettings, dingtalkProtocol, noPermission } from './dingtalk/protocol.ts'
import { inBatches } from './platform/batches.ts'
import { type ClientOptions, createPlatformClient, type ListManner } from './platform/client.ts'
import { createHidden } from './platform/hidden.ts'
import { createIdentified, type Identify } from './platform/identified.ts'
import { departmentsOf, idAt, type JsonObject, textAt } from './platform/json.ts'
import { reportScope } from './platform/scope.ts'
import { readTogether } from './platform/together.ts'
import type { Reading, Source, SourceDepartment, SourceUser } from './source.ts'
import { statements } from './statements.ts'

export type { DingtalkSettings } from './dingtalk/protocol.ts'

/** Departments read at the same time; an app may make 20 calls a second. */
const atOnce = 4

/**
 * An organisation on DingTalk. Every person that DingTalk lists belongs to it: `active: false` there means that they
 * have not signed in to DingTalk yet.
 */
export const dingtalkSource = (settings: DingtalkSettings, options: ClientOptions): Source => {
  const client = createPlatformClient(dingtalkProtocol(settings), options)
  const contacts = dingtalkContacts(client, settings)

  /** Where to start reading; reports what will be missing when that is not the root. */
  const starts = async ({ signal, gap }: Reading, identify: Identify): Promise<string[]> => {
    if ((await contacts.belowRoot({ signal, identify })) !== null) return [rootId]
    const scope = await contacts.scope({ signal })
    reportScope('DingTalk', scope, widen, gap)
    return scope.departments
  }
  /** Descends from where it starts, after `begin`; `visit` reads each department, given its children. */
  const walk = async function* <Row>(
    reading: Reading,
    visit: (department: string, below: JsonObject[], manner: ListManner) => AsyncIterable<readonly Row[]>,
    begin: (from: readonly string[]) => AsyncIterable<readonly Row[]> = nothing,
  ): AsyncGenerator<readonly Row[]> {
    const hidden = createHidden(reading, widen)
    const identified = createIdentified(reading, client)
    const { identify } = identified
    const from = await starts(reading, identify)
    yield* begin(from)
    yield* readTogether<string, Row>(from, {
      keyOf: (department) => department,
      max: atOnce,
      signal: reading.signal,
      async *read(department, found, signal) {
        try {
          const below = await contacts.children(department, { signal, identify })
          for (const row of below) found(idAt(row.dept_id))
          yield* visit(department, below, { signal, identify })
          hidden.read()
        } catch (error) {
          hidden.add(department, error, noPermission)
        }
      },
    })
    identified.report()
    hidden.report()
  }
  const readDepartments = async function* (reading: Reading): AsyncGenerator<readonly SourceDepartment[]> {
    const { signal } = reading
    yield* walk(
      reading,
      async function* (department, below) {
        yield below.map((row) => asDepartment(row, department))
      },
      async function* (from) {
        for (const department of from)
          if (department !== rootId) yield [asDepartment(await contacts.department(department, { signal }), rootId)]
      },
    )
  }
  const readUsers = async function* (reading: Reading): AsyncGenerator<readonly SourceUser[]> {
    yield* walk(reading, async function* (department, _, manner) {
      for await (const page of contacts.members(department, manner)) yield page.map((row) => asUser(row, department))
    })
  }

  return {
    connector: 'dingtalk',
    rootId,
    departments: (reading) => inBatches(readDepartments(reading)),
    users: (reading) => inBatches(readUsers(reading)),
    diagnose: (signal) => diagnoseDingtalk(client, contacts, signal),
    async close() {
      client.close()
    },
  }
}

const nothing = async function* (): AsyncGenerator<never> {}

const widen = statements.widen_dingtalk()

const asDepartment = (record: JsonObject, parent: string): SourceDepartment => ({
  id: idAt(record.dept_id),
  parentId: idAt(record.parent_id) || parent,
  record,
})

const asUser = (record: JsonObject, department: string): SourceUser => ({
  id: idAt(record.userid),
  unionId: textAt(record.unionid),
  departmentIds: departmentsOf(record.dept_id_list, [department]),
  active: true,
  record,
})
