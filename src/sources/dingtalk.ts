import { dingtalkContacts, rootId } from './dingtalk/contacts.ts'
import { diagnoseDingtalk } from './dingtalk/diagnosis.ts'
import { type DingtalkSettings, dingtalkProtocol, noPermission } from './dingtalk/protocol.ts'
import { inBatches } from './platform/batches.ts'
import { type ClientOptions, createPlatformClient } from './platform/client.ts'
import { createHidden } from './platform/hidden.ts'
import { idAt, idsAt, type JsonObject, textAt } from './platform/json.ts'
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
  const starts = async ({ signal, gap }: Reading): Promise<string[]> => {
    if ((await contacts.belowRoot({ signal })) !== null) return [rootId]
    const scope = await contacts.scope({ signal })
    reportScope('DingTalk', scope, widen, gap)
    return scope.departments
  }
  /** Descends from `from`; `visit` reads each department, given its children. */
  const walk = async function* <Row>(
    reading: Reading,
    from: readonly string[],
    visit: (department: string, below: JsonObject[], signal: AbortSignal) => AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<readonly Row[]> {
    const hidden = createHidden(reading, widen)
    yield* readTogether<string, Row>(from, {
      keyOf: (department) => department,
      max: atOnce,
      signal: reading.signal,
      async *read(department, found, signal) {
        try {
          const below = await contacts.children(department, { signal })
          for (const row of below) found(idAt(row.dept_id))
          yield* visit(department, below, signal)
          hidden.read()
        } catch (error) {
          hidden.add(department, error, noPermission)
        }
      },
    })
    hidden.report()
  }
  const readDepartments = async function* (reading: Reading): AsyncGenerator<readonly SourceDepartment[]> {
    const { signal } = reading
    const from = await starts(reading)
    for (const department of from)
      if (department !== rootId) yield [asDepartment(await contacts.department(department, { signal }), rootId)]
    yield* walk(reading, from, async function* (department, below) {
      yield below.map((row) => asDepartment(row, department))
    })
  }
  const readUsers = async function* (reading: Reading): AsyncGenerator<readonly SourceUser[]> {
    yield* walk(reading, await starts(reading), async function* (department, _, signal) {
      for await (const page of contacts.members(department, { signal }))
        yield page.map((row) => asUser(row, department))
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

const widen = statements.widen_dingtalk()

const asDepartment = (record: JsonObject, parent: string): SourceDepartment => ({
  id: idAt(record.dept_id),
  parentId: idAt(record.parent_id) || parent,
  record,
})

const asUser = (record: JsonObject, department: string): SourceUser => ({
  id: idAt(record.userid),
  unionId: textAt(record.unionid),
  departmentIds: [...new Set([department, ...idsAt(record.dept_id_list)])],
  active: true,
  record,
})
