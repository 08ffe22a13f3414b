import type { FakeDepartment, FakePerson, Organisation } from './organisation-data.ts'
import { rootDepartmentId } from './organisation-data.ts'

/** An organisation as an app may see it, ready to be asked by department. The root's id is the empty text. */
export interface OrganisationIndex {
  /** false: the app sees some departments only, and the root is not among them. */
  whole: boolean
  departments: ReadonlyMap<string, FakeDepartment>
  /** The departments at the top of what is visible. */
  roots: readonly FakeDepartment[]
  children: (id: string) => readonly FakeDepartment[]
  /** All departments below one, each after its parent. */
  descendants: (id: string) => readonly FakeDepartment[]
  /** Those directly in a department. */
  members: (id: string) => readonly FakePerson[]
  /** Every person in at least one visible department, once. */
  people: readonly FakePerson[]
  /** Is this a department, or the root, that the app may see? */
  sees: (id: string) => boolean
}

export interface Visibility {
  /** The departments the app may see, each with all below it; null: everything. */
  visible: readonly string[] | null
  /** Departments that are not there, nor anything below them. */
  hidden: readonly string[]
}

export const indexOrganisation = (organisation: Organisation, { visible, hidden }: Visibility): OrganisationIndex => {
  const whole = visible === null
  const below = group(organisation.departments, ({ parentId }) => [parentId ?? rootDepartmentId])
  const gone = new Set(hidden)
  const tops = whole
    ? (below.get(rootDepartmentId) ?? [])
    : organisation.departments.filter(({ id }) => visible.includes(id))

  const departments = new Map<string, FakeDepartment>()
  const walk = (from: readonly FakeDepartment[]): FakeDepartment[] => {
    const found: FakeDepartment[] = []
    const waiting = [...from].reverse()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (gone.has(next.id)) continue
      found.push(next)
      for (const child of (below.get(next.id) ?? []).toReversed()) waiting.push(child)
    }
    return found
  }
  for (const department of walk(tops)) departments.set(department.id, department)

  const sees = (id: string): boolean => (id === rootDepartmentId ? whole : departments.has(id))
  const members = group(organisation.people, ({ departmentIds }) => departmentIds.filter(sees))
  const visiblePeople = organisation.people.filter(({ departmentIds }) => departmentIds.some(sees))
  const descendants = new Map<string, FakeDepartment[]>()

  return {
    whole,
    departments,
    roots: [...departments.values()].filter(({ parentId }) => parentId === null || !departments.has(parentId)),
    children: (id) => (below.get(id) ?? []).filter((child) => departments.has(child.id)),
    descendants: (id) => {
      const found = descendants.get(id) ?? walk(below.get(id) ?? [])
      descendants.set(id, found)
      return found
    },
    members: (id) => members.get(id) ?? [],
    people: visiblePeople,
    sees,
  }
}

const group = <T>(items: readonly T[], keys: (item: T) => readonly string[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    for (const key of keys(item)) {
      const found = groups.get(key)
      if (found === undefined) groups.set(key, [item])
      else found.push(item)
    }
  }
  return groups
}
