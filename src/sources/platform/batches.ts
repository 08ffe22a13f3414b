/** The most that a reading may yield at once. */
const mostRows = 1000

/**
 * Yields the same rows in batches of exactly `mostRows` and a rest: platforms answer five people here and thirty
 * thousand there, and whoever writes them down works best with one size.
 */
export async function* inBatches<Row>(parts: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  for await (const part of parts) {
    for (const row of part) {
      batch.push(row)
      if (batch.length < mostRows) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
