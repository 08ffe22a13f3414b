import type { StoredEntry } from './entry.ts'
import type { Filter } from './filter.ts'
import { isBelow } from './locate.ts'
import type { SearchScope } from './request.ts'
import type { DirectoryTree } from './tree.ts'
import { membersOf } from './view.ts'

/** The ids of all entries for which the filter can be true, where indexes tell; null where only reading all does. */
const fromIndexes = (tree: DirectoryTree, filter: Filter): ReadonlySet<number> | null => {
  switch (filter.kind) {
    case 'equal': {
      const { key } = filter.description
      if (key === 'entrydn') return new Set([tree.get(filter.key)?.id ?? 0])
      if (key === 'memberof') return new Set([...membersOf(tree, filter.key)].map(({ id }) => id))
      return tree.holding(key, filter.key)
    }
    case 'and': {
      const sets = filter.filters.map((each) => fromIndexes(tree, each)).filter((ids) => ids !== null)
      return sets.length === 0 ? null : sets.reduce((best, ids) => (ids.size < best.size ? ids : best))
    }
    case 'or': {
      const all = new Set<number>()
      for (const each of filter.filters) {
        const ids = fromIndexes(tree, each)
        if (ids === null) return null
        for (const id of ids) all.add(id)
      }
      return all
    }
    case 'undefined':
      return new Set()
    default:
      return null
  }
}

const inScope = (entry: StoredEntry, base: string, scope: SearchScope): boolean => {
  if (scope === 'base') return entry.key === base
  if (scope === 'one') return entry.key.length > base.length && isChild(entry.key, base)
  return isBelow(entry.key, base) && (scope === 'sub' || entry.key !== base)
}

const isChild = (key: string, base: string): boolean => key.slice(key.indexOf(',') + 1) === base

function* inTree(tree: DirectoryTree, base: StoredEntry, scope: SearchScope): Generator<StoredEntry> {
  if (scope === 'base' || scope === 'sub') yield base
  if (scope === 'one') yield* tree.children(base.key)
  else if (scope !== 'base') {
    if (base.key !== tree.suffix) yield* tree.descendants(base.key)
    // Reading all in a row is quicker, and holds no more of the tree than where it is.
    else for (const entry of tree.entries()) if (entry.id !== base.id) yield entry
  }
}

/**
 * The entries of a search's scope that may match its filter, each still to be tested. The iterator may rest while
 * others write: an entry nobody touches comes exactly once.
 */
export function* candidates(
  tree: DirectoryTree,
  base: StoredEntry,
  scope: SearchScope,
  filter: Filter,
): Generator<StoredEntry> {
  const ids = scope === 'base' ? null : fromIndexes(tree, filter)
  if (ids === null) return yield* inTree(tree, base, scope)
  // A copy: the index's own set changes under a rest.
  for (const id of [...ids]) {
    const entry = tree.byId(id)
    if (entry && inScope(entry, base.key, scope)) yield entry
  }
}
