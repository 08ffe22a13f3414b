import { sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import type { ChangeAction, ChangedFields, SourceFields } from '../db/schema.ts'
import type { Place } from './department-tree.ts'
import { freeNames } from './free-names.ts'
import type { ImportedGroup, SourceDepartment } from './imported-groups.ts'
import type { PlanOptions } from './plan.ts'

/** A row of `run_changes`. */
export interface Change {
  action: ChangeAction
  sourceId: string
  recordId: number | null
  version: number | null
  name: string
  nameKey: string
  before: ChangedFields
  after: ChangedFields
  sourceFields: SourceFields
}

/** The new state of a department; its name is decided later, because others may want it too. */
export interface Draft {
  sourceId: string
  parent: string
  depth: number
  name: string
  nameKey: string
  /** The source's values that win. */
  texts: Readonly<Record<string, string>>
  /** It keeps its name and place. */
  settled: boolean
  fields: SourceDepartment['fields']
  ours: ImportedGroup | undefined
}

export const draft = (
  department: SourceDepartment,
  place: Place,
  ours: ImportedGroup | undefined,
  { wins }: PlanOptions,
): Draft => {
  const { sourceId, fields } = department
  const local = (field: string): boolean => wins === 'local' && ours !== undefined && changedHere(ours, field)
  const sourceName = local('groupName') ? undefined : fields.groupName
  const followed = Object.entries(fields).filter(([field]) => field !== 'groupName' && !local(field))
  const stays = ours !== undefined && ours.parent === place.parentId
  const keepsName =
    ours !== undefined && (sourceName === undefined || sourceName === ours.groupName || hasSuffixOf(ours, department))
  return {
    ...{ sourceId, parent: place.parentId, depth: place.depth, texts: Object.fromEntries(followed), fields, ours },
    settled: stays && keepsName,
    name: keepsName && (stays || sourceName === undefined) ? ours.groupName : (sourceName ?? ''),
    nameKey: keepsName && (stays || sourceName === undefined) ? ours.nameKey : (department.nameKey ?? ''),
  }
}

/** Whether a field was changed here since the last import. */
const changedHere = (ours: ImportedGroup, field: string): boolean => {
  const remembered = ours.remembered[field] ?? ''
  if (field !== 'groupName') return (ours.texts[field] ?? '') !== remembered
  return ours.groupName !== remembered && !isSuffixed(ours.groupName, remembered)
}

/** Whether the group has the source's name except for the number from an earlier clash, which it keeps. */
const hasSuffixOf = (ours: ImportedGroup, { fields, nameKey }: SourceDepartment): boolean =>
  ours.remembered.groupName === fields.groupName && nameKey !== null && isSuffixed(ours.nameKey, nameKey)

const isSuffixed = (name: string, plain: string): boolean =>
  name.startsWith(plain) && /^\d+$/.test(name.slice(plain.length))

/** Parents before their children. */
export const byPlace = (a: Draft, b: Draft): number => a.depth - b.depth || (a.sourceId < b.sourceId ? -1 : 1)

/** The change that a department needs; empty: none. */
export const changeOf = (each: Draft, { name, nameKey }: { name: string; nameKey: string }): Change[] => {
  const { sourceId, parent, texts, ours, fields } = each
  const sourceFields = { ...ours?.remembered, ...fields }
  if (ours === undefined) {
    const after = { groupName: name, groupType: 'cn', parent, ...texts }
    return [{ action: 'add', sourceId, recordId: null, version: null, name, nameKey, before: {}, after, sourceFields }]
  }
  const before: ChangedFields = {}
  const after: ChangedFields = {}
  const differs = (field: string, now: string | null, then: string): void => {
    if (now === then) return
    before[field] = now
    after[field] = then
  }
  differs('groupName', ours.groupName, name)
  differs('parent', ours.parent, parent)
  for (const [field, text] of Object.entries(texts)) differs(field, ours.texts[field] ?? null, text)
  if (Object.keys(after).length === 0) return []
  const action = 'parent' in after ? 'move' : 'update'
  return [{ action, sourceId, recordId: ours.id, version: ours.version, name, nameKey, before, after, sourceFields }]
}

export const removalOf = ({ id, version, sourceId, groupName, nameKey, remembered }: ImportedGroup): Change => ({
  action: 'remove',
  sourceId,
  recordId: id,
  version,
  name: groupName,
  nameKey,
  before: { groupName },
  after: {},
  sourceFields: remembered,
})

/** The group above all of a source's departments: named after the slot, directly under the base. */
export const rootChange = async (tx: Tx, { slot, rootId }: PlanOptions): Promise<Change> => {
  const names = await freeNames(tx, {
    wanted: [{ sourceId: rootId, parent: null, name: slot, nameKey: slot }],
    settled: [],
    leaving: [],
    parentIds: new Map(),
  })
  const { name, nameKey } = names.get(rootId) ?? { name: slot, nameKey: slot }
  const after = { groupName: name, groupType: 'ou', parent: null }
  return {
    action: 'add',
    sourceId: rootId,
    recordId: null,
    version: null,
    name,
    nameKey,
    before: {},
    after,
    sourceFields: {},
  }
}

/** Stores the plan in the order of its changes. */
export const writeChanges = async (tx: Tx, runId: number, changes: readonly Change[]): Promise<void> => {
  const rows = changes.map((change, index) => ({ seq: index + 1, ...change }))
  await tx.execute(sql`
    insert into run_changes (run_id, seq, action, source_id, record_id, version, name, name_key, before, after, source_fields)
    select ${runId}::bigint, seq, action, "sourceId", "recordId", version, name, "nameKey", before, after, "sourceFields"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (seq int, action text, "sourceId" text, "recordId" bigint,
      version bigint, name text, "nameKey" text, before jsonb, after jsonb, "sourceFields" jsonb)`)
}
