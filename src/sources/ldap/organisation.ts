import { mapInTimeSlices } from '../../concurrency/time-slices.ts'
import type { SourceDepartment, SourceUser } from '../source.ts'
import { memberAttributes, type Preset } from './presets.ts'
import { type RecordEntry, recordShape } from './record.ts'
import { readSubtree, type Sight } from './subtree.ts'
import { type Listed, readTree, readTreeWithMembers } from './tree.ts'

/** All attributes that are not operational (RFC 4511 section 4.5.1.8). */
const everything = ['*']

/**
 * The departments, each below the nearest one above it. Their members are not part of the records: there may be tens of
 * thousands.
 */
export async function* readDepartments(sight: Sight): AsyncGenerator<readonly SourceDepartment[]> {
  const { preset, baseKey, departments } = sight.subject
  const tree = await readTree(sight)
  const shape = recordShape(preset, memberAttributes(preset))
  for await (const page of readSubtree(sight, { filter: departments, attributes: everything }, shape)) {
    yield page
      .filter(({ key }) => key !== baseKey)
      .map(({ id, key, record }) => ({ id, parentId: tree.above(key), record }))
  }
}

/**
 * The people, each in the nearest department above, in those that list them by DN or by uid, in their primary group, and,
 * by setting, in the departments that list these.
 */
export async function* readUsers(sight: Sight): AsyncGenerator<readonly SourceUser[]> {
  const { preset, people } = sight.subject
  const listed = await readTreeWithMembers(sight)
  for await (const page of readSubtree(sight, { filter: people, attributes: everything }, recordShape(preset))) {
    yield await mapInTimeSlices(page, (entry) => ({
      id: entry.id,
      unionId: '',
      departmentIds: departmentsOf(entry, listed, preset),
      active: preset.isActive(entry.record),
      record: entry.record,
    }))
  }
}

const departmentsOf = (
  { key, record }: RecordEntry,
  { tree, byDn, byUid, byNumber, addNested }: Listed,
  { primaryGroup }: Preset,
): string[] => {
  const { uid } = record
  const ids = new Set([tree.above(key)])
  byDn.addTo(ids, key)
  if (typeof uid === 'string') byUid.addTo(ids, uid)
  else for (const each of uid ?? []) byUid.addTo(ids, each)
  const primary = byNumber.get(String(record[primaryGroup?.named ?? '']))
  if (primary !== undefined) ids.add(primary)
  addNested(ids)
  return [...ids]
}
