import type { StoredEntry } from '../entries/entry.ts'
import { isBelow } from '../entries/locate.ts'
import type { DirectoryTree } from '../entries/tree.ts'
import { memberCount, membersOf } from '../entries/view.ts'
import type { Filter } from '../protocol/filter.ts'
import type { SearchScope } from '../protocol/request.ts'

type Equal = Extract<Filter, { kind: 'equal' }>

const equalCount = (tree: DirectoryTree, { description: { key, type }, key: value }: Equal): number => {
  if (key === 'entrydn') return 1
  if (key === 'memberof') return memberCount(tree, value)
  return type.subtypes.size > 0
    ? Number.POSITIVE_INFINITY
    : (tree.holding(key, value)?.size ?? Number.POSITIVE_INFINITY)
}

/** How many candidates for the filter the indexes give; infinite where they cannot tell. */
const countFromIndexes = (tree: DirectoryTree, filter: Filter): number => {
  switch (filter.kind) {
    case 'equal':
      return equalCount(tree, filter)
    case 'and':
      return filter.filters.reduce(
        (least, each) => Math.min(least, countFromIndexes(tree, each)),
        Number.POSITIVE_INFINITY,
      )
    case 'or':
      return filter.filters.reduce((sum, each) => sum + countFromIndexes(tree, each), 0)
    case 'undefined':
      return 0
    default:
      return Number.POSITIVE_INFINITY
  }
}

/** The ids that were counted; some may come twice. */
function* fromIndexes(tree: DirectoryTree, filter: Filter): Generator<number> {
  if (filter.kind === 'or') for (const each of filter.filters) yield* fromIndexes(tree, each)
  else if (filter.kind === 'and') {
    const counts = filter.filters.map((each) => countFromIndexes(tree, each))
    const best = filter.filters[counts.indexOf(Math.min(...counts))]
    if (best) yield* fromIndexes(tree, best)
  } else if (filter.kind === 'equal') {
    const { description, key } = filter
    if (description.key === 'entrydn') yield tree.get(key)?.id ?? 0
    else if (description.key === 'memberof') for (const { id } of membersOf(tree, key)) yield id
    else yield* tree.holding(description.key, key) ?? []
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
    // Reading all entries in order is quicker, and holds no more of the tree than the position.
    else for (const entry of tree.entries()) if (entry.id !== base.id) yield entry
  }
}

function* byId(tree: DirectoryTree, ids: readonly number[], base: string, scope: SearchScope): Generator<StoredEntry> {
  for (const id of ids) {
    const entry = tree.byId(id)
    if (entry && inScope(entry, base, scope)) yield entry
  }
}

/**
 * The entries of a search's scope that may match its filter; each must still be tested. The tree may change while the
 * iterator is suspended: an entry that does not change comes exactly once. It keeps no reference to the filter.
 */
export const candidates = (
  tree: DirectoryTree,
  base: StoredEntry,
  scope: SearchScope,
  filter: Filter,
): Iterator<StoredEntry, void> => {
  // Where the indexes give nearly all entries, reading all of them is cheaper.
  if (scope === 'base' || countFromIndexes(tree, filter) > tree.size / 2) return inTree(tree, base, scope)
  // A copy without duplicates: the indexes change while it is suspended. Values with options (`cn;lang-fr`) are in no
  // index.
  const ids = new Set([...fromIndexes(tree, filter), ...tree.optioned])
  return byId(tree, [...ids], base.key, scope)
}
