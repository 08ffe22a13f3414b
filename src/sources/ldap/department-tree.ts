import { parentKey } from './entry-key.ts'

/** The departments by DN, to find the department of every entry. */
export interface DepartmentTree {
  add(key: string, id: string): void
  /** The nearest department above an entry, by the entry's key; the root's id where there is no department above. */
  above(key: string): string
}

/** @param rootKey key of the base DN */
export const createDepartmentTree = (rootKey: string, rootId: string): DepartmentTree => {
  const ids = new Map<string, string>()
  return {
    add: (key, id) => void ids.set(key, id),
    above(key) {
      // The parent of an entry may not be a department, as in Active Directory's containers.
      for (let at = parentKey(key); at !== '' && at !== rootKey; at = parentKey(at)) {
        const id = ids.get(at)
        if (id !== undefined) return id
      }
      return rootId
    },
  }
}
