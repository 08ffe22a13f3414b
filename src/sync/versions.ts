/** What a statement writes of a record that a source returned. */
interface Versioned {
  sourceId: string
  departmentIds: readonly string[]
}

/**
 * Rows cut into batches that have each record once: a statement can write a row only once. A record that comes again goes
 * into the next batch, unless only its departments differ: these are put together. Platforms that are read department by
 * department return such records all the time.
 */
export const withoutRepeats = <Row extends Versioned>(rows: readonly Row[]): Row[][] => {
  const batches: Row[][] = []
  const versions = new Map<string, Map<string, { row: Row; departmentIds: Set<string> }>>()
  for (const row of rows) {
    const { departmentIds, ...rest } = row
    const known = versions.get(row.sourceId) ?? new Map()
    versions.set(row.sourceId, known)
    const name = JSON.stringify(rest)
    const alike = known.get(name)
    if (alike !== undefined) {
      for (const id of departmentIds) alike.departmentIds.add(id)
      continue
    }
    batches[known.size] ??= []
    batches[known.size]?.push(row)
    known.set(name, { row, departmentIds: new Set(departmentIds) })
  }
  for (const known of versions.values()) {
    for (const { row, departmentIds } of known.values()) row.departmentIds = [...departmentIds].sort()
  }
  return batches
}
