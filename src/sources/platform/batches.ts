import { bounded } from '../bounds.ts'

/** The most records that a reading yields at once. */
const maxRows = 1000

/**
 * Yields the same rows in batches of exactly `maxRows` and a rest: platforms return five people or thirty thousand at
 * once, and a uniform size is best for the database.
 * @throws SourceError where they do not end
 */
export async function* inBatches<Row>(parts: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  for await (const part of bounded(parts)) {
    for (const row of part) {
      batch.push(row)
      if (batch.length < maxRows) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
