import type { FakeDepartment, FakePerson, Organisation } from '../../scripts/fakes/organisation.ts'

/** A person in the whole organisation of whom nothing else is known, unless said. */
export const person = (id: string, more: Partial<FakePerson> = {}): FakePerson => ({
  id,
  unionId: `union-${id}`,
  name: `Name of ${id}`,
  englishName: '',
  mail: '',
  mobile: '',
  jobNumber: '',
  title: '',
  departmentIds: [''],
  state: 'active',
  avatar: '',
  ...more,
})

export const department = (id: string, name: string, parentId: string | null = null): FakeDepartment => ({
  id,
  name,
  parentId,
})

export const people = (...persons: FakePerson[]): Organisation => ({ departments: [], people: persons })

export const departments = (...all: FakeDepartment[]): Organisation => ({ departments: all, people: [] })

/** So many people, `p1`, `p2`, … */
export const crowd = (size: number): FakePerson[] => Array.from({ length: size }, (_, index) => person(`p${index + 1}`))
