import type { SourceRecord } from '../source.ts'
import { createDepartmentTree } from './department-tree.ts'
import { locatedShape } from './located.ts'
import { recordShape } from './record.ts'
import { readSubtree, type Sight } from './subtree.ts'
import { rootId } from './tree.ts'

const sampleSize = 200

/** The number of departments, and the names of those at the top. */
export const countDepartments = async (sight: Sight): Promise<{ count: number; top: string[] }> => {
  const { preset, baseKey, departments } = sight.subject
  const tree = createDepartmentTree(baseKey, rootId)
  const names: [key: string, name: string][] = []
  for await (const page of readSubtree(sight, { filter: departments, attributes: ['ou', 'cn'] }, recordShape(preset))) {
    for (const { id, key, record } of page) {
      if (key === baseKey) continue
      tree.add(key, id)
      names.push([key, nameOf(record)])
    }
  }
  return { count: names.length, top: names.filter(([key]) => tree.above(key) === rootId).map(([, name]) => name) }
}

const nameOf = ({ cn, ou, dn }: SourceRecord): string => String([cn ?? ou ?? dn].flat()[0])

/** The first people that are found, with all fields of their records. */
export const samplePeople = async (sight: Sight): Promise<SourceRecord[]> => {
  const { preset, people } = sight.subject
  const wanted = { filter: people, attributes: ['*'], pageSize: sampleSize }
  for await (const page of readSubtree(sight, wanted, recordShape(preset))) return page.map(({ record }) => record)
  return []
}

export const countPeople = async (sight: Sight): Promise<number> => {
  const { preset, people } = sight.subject
  let count = 0
  for await (const page of readSubtree(sight, { filter: people, attributes: [] }, locatedShape(preset))) {
    count += page.length
  }
  return count
}
