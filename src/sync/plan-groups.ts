import type { Tx } from '../db/client.ts'
import type { ChangeAction, RunProblem } from '../db/schema.ts'
import type { Statement } from '../failures/statement.ts'
import { arrange } from './department-tree.ts'
import { freeNames } from './free-names.ts'
import { byPlace, type Change, changeOf, draft, removalOf, rootChange, writeChanges } from './group-changes.ts'
import { type ImportedGroup, readDepartments, readImportedGroups } from './imported-groups.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { settleNumbers } from './posix-numbers.ts'
import { problem, problemsKept } from './problems.ts'
import { statements } from './statements.ts'

/**
 * Compares the snapshot of a source's departments with the groups that were imported before, and writes the changes
 * into `run_changes`, parents first and removals last, the deepest first. All of a source's departments are below one
 * group, named after the slot. An organisation has thousands of departments, so they are compared in memory.
 */
export const planGroups = async (tx: Tx, options: PlanOptions): Promise<Plan> => {
  const numbers = await settleNumbers(tx, 'groups', options)
  const theirs = await readDepartments(tx, options.runId)
  const all = await readImportedGroups(tx, options)
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

const containsOthers = ({ otherGroupsBelow, otherPeopleIn }: ImportedGroup): boolean =>
  otherGroupsBelow + otherPeopleIn > 0

/**
 * A group that is gone at the source stays while it contains what stays, which is not the source's or has no place there,
 * and so do all groups above it.
 */
const keptFor = (
  gone: readonly ImportedGroup[],
  ours: ReadonlyMap<string, ImportedGroup>,
  containsStaying: (group: ImportedGroup) => boolean,
): Set<ImportedGroup> => {
  const goes = new Set(gone)
  const kept = new Set<ImportedGroup>()
  for (const group of gone) {
    if (!containsStaying(group)) continue
    for (
      let at: ImportedGroup | undefined = group;
      at && !kept.has(at);
      at = at.parent === null ? undefined : ours.get(at.parent)
    ) {
      if (goes.has(at)) kept.add(at)
    }
  }
  return kept
}

/** Children before their parents. */
const deepestFirst = (groups: readonly ImportedGroup[]): ImportedGroup[] => {
  const byId = new Map(groups.map((group) => [group.sourceId, group]))
  const depth = (group: ImportedGroup): number => {
    const parent = group.parent === null ? undefined : byId.get(group.parent)
    return parent === undefined ? 0 : depth(parent) + 1
  }
  return groups
    .map((group) => ({ group, depth: depth(group) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ group }) => group)
}
