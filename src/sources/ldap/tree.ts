import { statements } from '../statements.ts'
import { createDepartmentTree, type DepartmentTree } from './department-tree.ts'
import { entryKey, isBelow } from './entry-key.ts'
import { locatedShape } from './located.ts'
import { type Listing, listingShape, readMembers } from './members.ts'
import { createMemberships, type Memberships } from './memberships.ts'
import { memberAttributes } from './presets.ts'
import { readSubtree, type Sight } from './subtree.ts'

/** The id of the base itself. */
export const rootId = 'base'

/** Departments whose members are read at once: one may have many thousands. */
const departmentsPerPage = 100

/** Where the departments are, without anything else of them. */
export const readTree = async (sight: Sight): Promise<DepartmentTree> => {
  const { preset, baseKey, departments } = sight.subject
  const tree = createDepartmentTree(baseKey, rootId)
  const pages = readSubtree(sight, { filter: departments, attributes: [] }, locatedShape(preset))
  for await (const page of pages) for (const { key, id } of page) tree.add(key, id)
  return tree
}

export interface Listed {
  /** Adds the departments that list one of these, directly or by others between, where that is wanted. */
  addNested(ids: Set<string>): void
  tree: DepartmentTree
  /** By the keys of people's DNs. */
  byDn: Memberships
  byUid: Memberships
  /** The ids of departments by the number of a primary group. */
  byNumber: ReadonlyMap<string, string>
}

/** The locations of the departments, and their members. */
export const readTreeWithMembers = async (sight: Sight): Promise<Listed> => {
  const { reader, subject } = sight
  const { preset, baseKey, departments } = subject
  const [tree, byDn, byUid] = [createDepartmentTree(baseKey, rootId), createMemberships(), createMemberships()]
  const keys = new Map<string, string>()
  const byNumber = new Map<string, string>()
  const shape = listingShape(preset)
  const list = async (department: Listing): Promise<void> => {
    for (const attribute of preset.memberDns) {
      for await (const values of readMembers(reader, shape, department, attribute)) {
        for (const value of values) {
          const member = entryKey(withoutNumber(value))
          // People outside the base are not read.
          if (isBelow(member, baseKey)) byDn.add(member, department.id)
        }
      }
    }
    for (const attribute of preset.memberUids) {
      for await (const values of readMembers(reader, shape, department, attribute)) {
        for (const value of values) byUid.add(value, department.id)
      }
    }
  }
  const numbers = preset.primaryGroup === null ? [] : [preset.primaryGroup.number]
  const attributes = [...memberAttributes(preset), ...numbers]
  const wanted = { filter: departments, attributes, pageSize: departmentsPerPage }
  for await (const page of readSubtree(sight, wanted, shape)) {
    for (const department of page) {
      if (department.key === baseKey) continue
      tree.add(department.key, department.id)
      keys.set(department.id, department.key)
      if (department.number !== '') byNumber.set(department.number, department.id)
      await list(department)
    }
  }
  if (!subject.nestedGroups) reportNested(sight, keys, byDn)
  return {
    ...{ tree, byDn, byUid, byNumber },
    addNested(ids) {
      if (!subject.nestedGroups) return
      // Those that are added are looked at in their turn, each once: groups may list each other.
      for (const id of ids) byDn.addTo(ids, keys.get(id) ?? '')
    },
  }
}

/** Without the setting, the people of groups that other groups list are only in those that list them themselves. */
const reportNested = ({ note }: Sight, keys: ReadonlyMap<string, string>, byDn: Memberships): void => {
  const nested = [...keys.values()].filter((key) => byDn.has(key))
  if (nested.length > 0) note?.(statements.nested_groups({ groups: nested.length }), statements.resolve_nested())
}

/** A value of uniqueMember: a DN, and perhaps `#'0101'B` (RFC 4517 section 3.3.21). */
const withoutNumber = (value: string): string => (value.endsWith("'B") ? value.replace(/#'[01]*'B$/, '') : value)
