import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/client.ts'
import { jsonbObject, jsonObject } from '../db/json-record.ts'
import { type ChangeAction, type ChangedFields, groups, type RunProblem, type SourceFields } from '../db/schema.ts'
import { mainDirectory } from '../mirror/touch.ts'
import { pick } from '../pick.ts'
import type { Statement } from '../statement.ts'
import { declaredTexts } from './declared-fields.ts'
import { arrange, type Place } from './department-tree.ts'
import { freeNames } from './free-names.ts'
import { plainGroupFields } from './plain-fields.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { joinNumber, numberText, settleNumbers } from './posix-numbers.ts'
import { problem, problemsKept } from './problems.ts'
import { statements } from './statements.ts'

/** A department of the source. */
interface Theirs {
  sourceId: string
  parentSourceId: string
  fields: { groupName?: string } & Readonly<Record<string, string>>
  nameKey: string | null
  problems: RunProblem[]
}

/** A group that was imported before. */
interface Ours {
  id: number
  version: number
  sourceId: string
  groupName: string
  nameKey: string
  /** The fields that a run compares, besides the name. */
  texts: Readonly<Record<string, string>>
  /** The source's id of the parent group; null when that group is not this source's. */
  parent: string | null
  remembered: SourceFields
  /** Groups below it that are not this source's, and people in it who are not. */
  otherGroupsBelow: number
  otherPeopleIn: number
}

interface Change {
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

/**
 * Compares the snapshot of a source's departments with the groups that were imported before, and writes the changes
 * into `run_changes`, parents first and removals last, the deepest first. All of a source's departments are below one
 * group, named after the slot. An organisation has thousands of departments, so they are compared in memory.
 */
export const planGroups = async (tx: Tx, options: PlanOptions): Promise<Plan> => {
  const numbers = await settleNumbers(tx, 'groups', options)
  const theirs = await readTheirs(tx, options.runId)
  const all = await readOurs(tx, options)
  const root = all.find(({ sourceId }) => sourceId === options.rootId)
  const ours = new Map(all.filter((group) => group !== root).map((group) => [group.sourceId, group]))

  const problems: RunProblem[] = []
  const addProblem = (sourceId: string, name: string, stated: Statement, advised: Statement): void => {
    problems.push(problem({ sourceId, name, step: 'plan', stated, advised }))
  }

  const { places, unplaced } = arrange(
    theirs
      .filter(({ sourceId, nameKey }) => nameKey !== null || ours.has(sourceId))
      .map(({ sourceId, parentSourceId }) => ({ id: sourceId, parentId: parentSourceId })),
    options.rootId,
  )
  for (const id of unplaced) {
    addProblem(id, '', statements.no_place(), statements.correct_place())
  }

  const staying = new Set(theirs.map(({ sourceId }) => sourceId))
  const gone = [...ours.values()].filter(({ sourceId }) => !staying.has(sourceId))
  const without = new Set(unplaced.map((id) => ours.get(id)?.parent))
  const kept = keptFor(gone, ours, (group) => containsOthers(group) || without.has(group.sourceId))
  for (const { sourceId, groupName, otherGroupsBelow, otherPeopleIn } of gone.filter(containsOthers)) {
    const what = statements.gone_but_stays({ groups: otherGroupsBelow, people: otherPeopleIn })
    addProblem(sourceId, groupName, what, statements.remove_others())
  }
  const removed = gone.filter((group) => !kept.has(group))

  const wanted = theirs.flatMap((department) => {
    const place = places.get(department.sourceId)
    return place === undefined ? [] : [draft(department, place, ours.get(department.sourceId), options)]
  })
  const names = await freeNames(tx, {
    wanted: wanted.filter(({ settled }) => !settled),
    // Groups that keep their name and place; all other groups of this source give up their names.
    settled: wanted.filter(({ settled }) => settled),
    leaving: [
      ...wanted.filter(({ settled }) => !settled).flatMap(({ ours: group }) => (group ? [group.id] : [])),
      ...removed.map(({ id }) => id),
    ],
    parentIds: new Map([...all].map(({ sourceId, id }) => [sourceId, id])),
  })

  const changes: Change[] = [
    ...(root ? [] : [await rootChange(tx, options)]),
    ...wanted.sort(byPlace).flatMap((each) => changeOf(each, names.get(each.sourceId) ?? each)),
    ...deepestFirst(removed).map(removalOf),
  ]
  await writeChanges(tx, options.runId, changes)

  const counted = (action: ChangeAction): number => changes.filter((change) => change.action === action).length
  const [added, updated, moved, disabled] = [counted('add'), counted('update'), counted('move'), counted('remove')]
  const skipped = theirs.length - wanted.length
  const total = theirs.length + removed.length + (root ? 0 : 1)
  return {
    ...{ total, added, updated, moved, disabled, skipped },
    unchanged: total - added - updated - moved - disabled - skipped,
    ours: ours.size,
    problems: [...theirs.flatMap((department) => department.problems), ...problems, ...numbers].slice(0, problemsKept),
  }
}

const readTheirs = async (tx: Tx, runId: number): Promise<Theirs[]> =>
  tx.execute<Theirs & Record<string, unknown>>(sql`
    select source_id as "sourceId", parent_source_id as "parentSourceId", fields, name_key as "nameKey", problems
    from run_records where run_id = ${runId} order by source_id collate "C"`)

const g = alias(groups, 'g')

const readOurs = async (tx: Tx, { slot }: PlanOptions): Promise<Ours[]> => {
  const rows = await tx.execute<{ group: Ours }>(sql`
    select ${jsonObject<Ours>({
      id: g.id,
      version: sql`coalesce(e.version, 0)`,
      sourceId: g.sourceDeptId,
      groupName: g.groupName,
      nameKey: g.groupNameKey,
      texts: sql`${jsonbObject(pick(g, plainGroupFields))} || ${declaredTexts(g.attributes)} || ${numberText}`,
      parent: sql`p.source_dept_id`,
      remembered: sql`coalesce(g.source_fields, '{}')`,
      otherGroupsBelow: sql`(select count(*) from groups c
        where c.parent_id = g.id and (c.source <> ${slot} or c.source_dept_id = ''))`,
      otherPeopleIn: sql`(select count(*) from group_members m join users u on u.id = m.user_id
        where m.group_id = g.id and (u.source <> ${slot} or u.source_user_id = ''))`,
    })} as group
    from groups g
    left join groups p on p.id = g.parent_id and p.source = ${slot} and p.source_dept_id <> ''
    left join directory_entries e on e.directory = ${mainDirectory} and e.kind = 'group' and e.record_id = g.id
    ${joinNumber('group', sql`g.id`)}
    where g.source = ${slot} and g.source_dept_id <> '' order by g.source_dept_id collate "C"`)
  return rows.map(({ group }) => group)
}

const containsOthers = ({ otherGroupsBelow, otherPeopleIn }: Ours): boolean => otherGroupsBelow + otherPeopleIn > 0

/**
 * A group that is gone at the source stays while it contains what stays, which is not the source's or has no place there,
 * and so do all groups above it.
 */
const keptFor = (
  gone: readonly Ours[],
  ours: ReadonlyMap<string, Ours>,
  containsStaying: (group: Ours) => boolean,
): Set<Ours> => {
  const goes = new Set(gone)
  const kept = new Set<Ours>()
  for (const group of gone) {
    if (!containsStaying(group)) continue
    for (
      let at: Ours | undefined = group;
      at && !kept.has(at);
      at = at.parent === null ? undefined : ours.get(at.parent)
    ) {
      if (goes.has(at)) kept.add(at)
    }
  }
  return kept
}

/** The new state of a department; its name is decided later, because others may want it too. */
interface Draft {
  sourceId: string
  parent: string
  depth: number
  name: string
  nameKey: string
  /** The source's values that win. */
  texts: Readonly<Record<string, string>>
  /** It keeps its name and place. */
  settled: boolean
  fields: Theirs['fields']
  ours: Ours | undefined
}

const draft = (department: Theirs, place: Place, ours: Ours | undefined, { wins }: PlanOptions): Draft => {
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
const changedHere = (ours: Ours, field: string): boolean => {
  const remembered = ours.remembered[field] ?? ''
  if (field !== 'groupName') return (ours.texts[field] ?? '') !== remembered
  return ours.groupName !== remembered && !isSuffixed(ours.groupName, remembered)
}

/** Whether the group has the source's name except for the number from an earlier clash, which it keeps. */
const hasSuffixOf = (ours: Ours, { fields, nameKey }: Theirs): boolean =>
  ours.remembered.groupName === fields.groupName && nameKey !== null && isSuffixed(ours.nameKey, nameKey)

const isSuffixed = (name: string, plain: string): boolean =>
  name.startsWith(plain) && /^\d+$/.test(name.slice(plain.length))

const byPlace = (a: Draft, b: Draft): number => a.depth - b.depth || (a.sourceId < b.sourceId ? -1 : 1)

const changeOf = (each: Draft, { name, nameKey }: { name: string; nameKey: string }): Change[] => {
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

const removalOf = ({ id, version, sourceId, groupName, nameKey, remembered }: Ours): Change => ({
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

/** Children before their parents. */
const deepestFirst = (groups: readonly Ours[]): Ours[] => {
  const byId = new Map(groups.map((group) => [group.sourceId, group]))
  const depth = (group: Ours): number => {
    const parent = group.parent === null ? undefined : byId.get(group.parent)
    return parent === undefined ? 0 : depth(parent) + 1
  }
  return groups
    .map((group) => ({ group, depth: depth(group) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ group }) => group)
}

/** The group above all of a source's departments: named after the slot, directly under the base. */
const rootChange = async (tx: Tx, { slot, rootId }: PlanOptions): Promise<Change> => {
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

const writeChanges = async (tx: Tx, runId: number, changes: readonly Change[]): Promise<void> => {
  const rows = changes.map((change, index) => ({ seq: index + 1, ...change }))
  await tx.execute(sql`
    insert into run_changes (run_id, seq, action, source_id, record_id, version, name, name_key, before, after, source_fields)
    select ${runId}::bigint, seq, action, "sourceId", "recordId", version, name, "nameKey", before, after, "sourceFields"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (seq int, action text, "sourceId" text, "recordId" bigint,
      version bigint, name text, "nameKey" text, before jsonb, after jsonb, "sourceFields" jsonb)`)
}
