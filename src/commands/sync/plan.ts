import { sql } from 'drizzle-orm'
import { type ChangeFilter, type ChangeRecord, changeRecords } from '../../db/change-records.ts'
import type { Db } from '../../db/client.ts'
import type { ChangedFields } from '../../db/schema.ts'
import type { Slot } from '../../sources/slot.ts'
import { table } from '../../terminal/table.ts'

/** Changes that are printed by default. */
const shown = 20

export interface PlanOptions {
  db: Db
  slot: Slot
  all: boolean
  /** Only changes of this state; default: the whole plan. */
  state?: ChangeFilter['state']
  /** Columns of the terminal; undefined: there is no terminal, and lines are not cut. */
  width: number | undefined
}

const columns = [{ title: 'Action' }, { title: 'Name' }, { title: 'What changes' }]

/** The changes of a run's plan as a table, in the order in which they are carried out, in pieces of whole lines. */
export async function* planTable(
  runId: number,
  { db, slot, all, state, width }: PlanOptions,
): AsyncGenerator<string[]> {
  const records = changeRecords(db)
  const filter = state === undefined ? {} : { state }
  const lines = async (changes: ChangeRecord[], titled: boolean): Promise<string[]> => {
    const names = await groupNames(db, slot, changes)
    const rows = changes.map((change) => [change.action, change.name, differences(change, names)])
    return table(columns, rows, { titled, ...(width !== undefined && { width }) })
  }
  if (all) {
    let titled = true
    for await (const changes of records.all(runId, filter)) {
      yield await lines(changes, titled)
      titled = false
    }
    return
  }
  const { total, changes } = await records.page(runId, filter, { limit: shown, offset: 0 })
  if (changes.length > 0) yield await lines(changes, true)
  if (total > changes.length) yield [`… and ${total - changes.length} more; --all prints them`]
}

/** Names of groups, by our ids and by the source's: changes refer to groups by either. */
interface GroupNames {
  byId: ReadonlyMap<number, string>
  bySourceId: ReadonlyMap<string, string>
}

const groupNames = async (db: Db, slot: Slot, changes: readonly ChangeRecord[]): Promise<GroupNames> => {
  const fields = changes.flatMap(({ before, after }) => [before, after] as ChangedFields[])
  const ids = fields.flatMap(({ memberOf }) => (Array.isArray(memberOf) ? memberOf : []))
  const sourceIds = fields.flatMap(({ parent }) => (typeof parent === 'string' ? [parent] : []))
  const rows = await db.execute<{ id: string; sourceId: string; name: string }>(sql`
    select id, case when source = ${slot} then source_dept_id else '' end as "sourceId", group_name as name from groups
    where id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      or (source = ${slot} and source_dept_id <> ''
        and source_dept_id in (select jsonb_array_elements_text(${JSON.stringify(sourceIds)}::jsonb)))`)
  const added = changes.flatMap(({ action, sourceId, name }) => (action === 'add' ? [[sourceId, name] as const] : []))
  return {
    byId: new Map(rows.map(({ id, name }) => [Number(id), name])),
    bySourceId: new Map([...added, ...rows.map(({ sourceId, name }) => [sourceId, name] as const)]),
  }
}

/** Fields by their names, with their old and new values. */
const differences = ({ before, after }: ChangeRecord, names: GroupNames): string =>
  Object.entries(after as ChangedFields)
    .filter(([field, value]) => value !== '' || (before as ChangedFields)[field] !== undefined)
    .map(([field, value]) => {
      const was = (before as ChangedFields)[field]
      const now = written(field, value, names)
      return was === undefined ? `${field} ${now}` : `${field} ${written(field, was, names)} → ${now}`
    })
    .join(', ')

const written = (field: string, value: ChangedFields[string], { byId, bySourceId }: GroupNames): string => {
  if (Array.isArray(value)) return value.map((id) => byId.get(id) ?? id).join(' + ') || 'none'
  if (field === 'parent') return value === null ? 'the top' : (bySourceId.get(String(value)) ?? String(value))
  return value === '' || value === null ? 'nothing' : String(value)
}
