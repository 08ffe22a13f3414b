/** `id`, `ids`, `userId`, `userIds`, … */
const naming = /^ids?$|Ids?$/

/** `id` is the record of the request itself, a single `userId` is what it is done to, and lists are what goes with it. */
const orderOf = ([name, value]: [string, unknown]): number => (name === 'id' ? 0 : Array.isArray(value) ? 2 : 1)

/**
 * The numeric ids in a request's path and body, and the id in the response of an add; that of its own record first. Their
 * number is bounded by the contract only. Each is there once, except the first: in a list the same number may be the id of
 * a record of another kind.
 */
export const touchedIds = (...parts: readonly unknown[]): number[] => {
  const found = new Set<number>()
  let first: number | null = null
  let isRepeated = false
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    // Beside `ids`, a list is not what was changed but what with: roles that people were given.
    const named = Object.entries(part).filter(([name]) => ('ids' in part ? name === 'ids' : naming.test(name)))
    for (const [, value] of named.sort((a, b) => orderOf(a) - orderOf(b))) {
      for (const id of Array.isArray(value) ? value : [value]) {
        if (!Number.isSafeInteger(id) || id <= 0) continue
        if (id === first && Array.isArray(value)) isRepeated = true
        first ??= id
        found.add(id)
      }
    }
  }
  const [own, ...others] = found
  return own === undefined ? [] : isRepeated ? [own, own, ...others] : [own, ...others]
}
