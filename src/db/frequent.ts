/** Statements of one process that are kept planned: enough for all that are written out in the source. */
const max = 600
/** Characters: well above the longest that is written out in the source. */
const longest = 32_000
/** Parameters. Those with more of them hold many rows, and come once. */
const maxParameters = 200
/** How often a statement has to come before it is planned for good. */
const enough = 3

/** By its text and the number of its parameters. */
export type IsFrequent = (text: string, parameters: number) => boolean

/**
 * Whether a statement is sent as a prepared one, which each connection plans once. Otherwise PostgreSQL parses and plans
 * it each time, and the driver asks for the types of its parameters first, which takes a second round trip. A prepared
 * statement is kept until its connection ends, so their number is bounded, and those that come seldom are left out; so
 * are searches by a pattern, whose best plan depends on the pattern.
 */
export const frequentStatements = (): IsFrequent => {
  const kept = new Set<string>()
  const counts = new Map<string, number>()
  return (text, parameters) => {
    if (kept.has(text)) return true
    if (parameters > maxParameters || kept.size >= max || text.length > longest || / i?like /.test(text)) return false
    const count = (counts.get(text) ?? 0) + 1
    // Statements that come once must not fill the memory.
    if (counts.size > 10 * max) counts.clear()
    if (count < enough) {
      counts.set(text, count)
      return false
    }
    counts.delete(text)
    kept.add(text)
    return true
  }
}

/**
 * What the driver's `unsafe` is called with. The query builder asks for a prepared statement only where one was named.
 * Without parameters a text may hold several statements, and stays as it is.
 */
export const asPrepared = (
  isFrequent: IsFrequent,
  text: string,
  parameters: unknown[] = [],
  options: object = {},
): [string, unknown[], object] => [
  text,
  parameters,
  parameters.length > 0 && isFrequent(text, parameters.length) ? { ...options, prepare: true } : options,
]
