/** Ids recorded for one request. */
const most = 100

/** `id`, `ids`, `userId`, `userIds`, … */
const naming = /^ids?$|Ids?$/

/** The numeric ids in a request's path and body, and the id in the response of an add. */
export const touchedIds = (...parts: readonly unknown[]): number[] => {
  const found = new Set<number>()
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    for (const [name, value] of Object.entries(part)) {
      if (!naming.test(name)) continue
      for (const id of Array.isArray(value) ? value : [value]) {
        if (found.size >= most) return [...found]
        if (Number.isSafeInteger(id) && id > 0) found.add(id)
      }
    }
  }
  return [...found]
}
