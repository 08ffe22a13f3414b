import type { Statement } from '../failures/statement.ts'
import { SourceError } from './source.ts'
import { statements } from './statements.ts'

// A list that never ends would be read until the disk of the database or the memory is full, and no other run of its
// source could begin. Ten times what Steward is measured with ends any list.

/**
 * Records of one reading, each counted as often as the source returns it: a million people who are in ten departments
 * each.
 */
export const maxRecords = 10_000_000
/** Departments that are asked for their people or for what is below them. */
export const maxPlaces = 1_000_000
/** Pages in a row of a directory on which there is nothing, as where it skips what the account may not read. */
export const maxEmptyPages = 10_000

/** The error of a list that went on after all that it may have. */
export const endless = (stated: Statement): SourceError =>
  new SourceError(stated, { advised: statements.narrow_or_tell() })

/**
 * The same batches.
 * @throws SourceError where there are more records than a source has
 */
export async function* bounded<Row>(
  batches: AsyncIterable<readonly Row[]>,
  max = maxRecords,
): AsyncGenerator<readonly Row[]> {
  let records = 0
  for await (const batch of batches) {
    records += batch.length
    if (records > max) throw endless(statements.endless({ limit: max }))
    yield batch
  }
}
