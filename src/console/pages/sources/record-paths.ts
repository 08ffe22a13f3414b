/** A field that records have, as an expression names it. */
export interface RecordPath {
  path: string
  /** How many of the records have it. */
  count: number
}

/** A name that needs no quotes in an expression. */
const plain = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u
const deepest = 3

/** The fields that records have, nested ones too, those that most of them have first. */
export const recordPaths = (records: readonly Readonly<Record<string, unknown>>[]): RecordPath[] => {
  const counts = new Map<string, number>()
  for (const record of records) {
    for (const path of new Set(pathsOf(record, '', deepest))) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts].map(([path, count]) => ({ path, count })).sort((one, other) => other.count - one.count)
}

/**
 * Whether an expression can name a field. A path begins with a plain name; a quoted one has no control character but a new
 * line and a tab.
 */
const canBeNamed = (name: string, path: string): boolean =>
  path === '' ? plain.test(name) : !/\p{Cc}/u.test(name.replaceAll(/[\n\t]/g, ''))

const pathsOf = (value: unknown, path: string, depth: number): string[] => {
  if (Array.isArray(value)) return value.length === 0 || depth === 0 ? [] : pathsOf(value[0], `${path}[0]`, depth - 1)
  if (typeof value !== 'object' || value === null) return path === '' ? [] : [path]
  if (depth === 0) return []
  return Object.entries(value)
    .filter(([name]) => canBeNamed(name, path))
    .flatMap(([name, inner]) => pathsOf(inner, stepTo(path, name), depth - 1))
}

const stepTo = (path: string, name: string): string =>
  path === '' ? name : plain.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
