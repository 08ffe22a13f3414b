import { inBatches } from './platform/batches.ts'
import { type ClientOptions, createPlatformClient } from './platform/client.ts'
import { createHidden } from './platform/hidden.ts'
import { createIdentified, type Identified } from './platform/identified.ts'
import { departmentsOf, idAt, type JsonObject } from './platform/json.ts'
import { readTogether } from './platform/together.ts'
import { type Reading, type Source, type SourceDepartment, SourceError, type SourceUser } from './source.ts'
import { statements } from './statements.ts'
import { rootId, topOf, wecomContacts } from './wecom/contacts.ts'
import { diagnoseWecom } from './wecom/diagnosis.ts'
import { idsOnly, noPermission, type WecomSettings, wecomProtocol } from './wecom/protocol.ts'

export type { WecomSettings } from './wecom/protocol.ts'

/** Departments read at the same time. */
const atOnce = 4

/**
 * An organisation on WeCom. An app may be limited to ids, as apps made since 2022 are from an unknown address. The
 * records then contain only ids, and all other fields are unknown: also whether a person is disabled, which is reported
 * as a gap. WeCom does not report people who left: they are just missing.
 */
export const wecomSource = (settings: WecomSettings, options: ClientOptions): Source => {
  const client = createPlatformClient(wecomProtocol(settings), options)
  const contacts = wecomContacts(client, settings)

  /** The visible departments; reports when the root is not among them. */
  const inSight = async ({ signal, gap }: Reading, { identify, report }: Identified): Promise<JsonObject[]> => {
    const { rows } = await contacts.departments({ signal, identify })
    if (rows.length === 0) {
      report()
      throw seesNobody()
    }
    if (!rows.some(isRoot)) {
      const parts = topOf(rows).map(({ id }) => idAt(id))
      gap(statements.parts_visible({ advice: widen }), parts)
    }
    return rows
  }

  const readDepartments = async function* (reading: Reading): AsyncGenerator<readonly SourceDepartment[]> {
    const identified = createIdentified(reading, client)
    const rows = await inSight(reading, identified)
    yield rows.filter((row) => !isRoot(row)).map(asDepartment)
    identified.report()
  }

  const readUsers = async function* (reading: Reading): AsyncGenerator<readonly SourceUser[]> {
    const { signal, gap } = reading
    const identified = createIdentified(reading, client)
    const { identify } = identified
    const [first, ...others] = (await inSight(reading, identified)).map(({ id }) => idAt(id))
    if (first === undefined) return
    const hidden = createHidden(reading, widen)
    const members = async (department: string, signal: AbortSignal): Promise<readonly SourceUser[] | null> => {
      try {
        const rows = await contacts.members(department, { signal, identify })
        hidden.read()
        return rows?.map((row) => asUser(row, department)) ?? null
      } catch (error) {
        hidden.add(department, error, noPermission)
        return []
      }
    }
    const people = await members(first, signal)
    if (people === null) {
      gap(statements.disabled_unknown())
      for await (const page of contacts.ids({ signal, identify })) yield page.map((row) => asUser(row))
      identified.report()
      return
    }
    yield people
    yield* readTogether<string, SourceUser>(others, {
      keyOf: (department) => department,
      max: atOnce,
      signal,
      async *read(department, _, signal) {
        const people = await members(department, signal)
        if (people === null) throw lostPermission()
        yield people
      },
    })
    identified.report()
    hidden.report()
  }

  return {
    connector: 'wecom',
    rootId,
    departments: (reading) => inBatches(readDepartments(reading)),
    users: (reading) => inBatches(readUsers(reading)),
    diagnose: (signal) => diagnoseWecom(client, contacts, signal),
    async close() {
      client.close()
    },
  }
}

const widen = statements.widen_wecom()

const seesNobody = (): SourceError =>
  new SourceError(statements.no_department_visible({ platform: 'WeCom' }), {
    advised: statements.whole_organisation(),
  })

const lostPermission = (): SourceError =>
  new SourceError(statements.people_hidden({ code: idsOnly }), { advised: statements.check_wecom_permissions() })

/** WeCom treats the organisation itself as a department. */
const isRoot = ({ id }: JsonObject): boolean => idAt(id) === rootId

const asDepartment = (record: JsonObject): SourceDepartment => ({
  id: idAt(record.id),
  parentId: idAt(record.parentid) || rootId,
  record,
})

/** As texts: one that is not told as a number counts too. */
const disabledOrLeft: ReadonlySet<string> = new Set(['2', '5'])

const asUser = (record: JsonObject, department?: string): SourceUser => ({
  id: idAt(record.userid),
  unionId: '',
  departmentIds: departmentsOf(record.department, department === undefined ? [] : [department]),
  active: !disabledOrLeft.has(idAt(record.status)),
  record,
})
