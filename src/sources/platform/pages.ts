import type { Statement } from '../../failures/statement.ts'
import { SourceError } from '../source.ts'
import { statements } from '../statements.ts'
import { idAt, type JsonObject } from './json.ts'

export interface Page<Cursor> {
  rows: readonly JsonObject[]
  /**
   * The start of the next page; null: the platform said that this was the last one. An answer that does not say it is
   * malformed: the people on the pages after it would look like people who have left.
   */
  next: Cursor | null
}

export interface Listing<Cursor> {
  first: Cursor
  read: (cursor: Cursor) => Promise<Page<Cursor>>
  /** The field that identifies rows. */
  idField: string
  /** The name in messages: `DingTalk`, `the people of department 12`. */
  platform: string
  what: Statement
}

/**
 * Pages in a row without a new record before a listing counts as endless. A page may come twice, and may be empty when
 * all of its records are hidden from the app.
 */
const maxFruitless = 5

/** Ids that are kept to tell new records: after so many the next are compared with later ones alone. */
const maxKept = 1_000_000

/** @throws SourceError when a listing makes no progress; and the errors of `read` */
export async function* readPages<Cursor>(listing: Listing<Cursor>): AsyncGenerator<readonly JsonObject[]> {
  const { read, idField, platform, what } = listing
  const seen = new Set<string>()
  let cursor = listing.first
  let fruitless = 0
  for (;;) {
    const { rows, next } = await read(cursor)
    yield rows
    if (next === null) return
    if (seen.size > maxKept) seen.clear()
    const before = seen.size
    for (const row of rows) seen.add(idAt(row[idField]))
    fruitless = seen.size > before ? 0 : fruitless + 1
    if (fruitless === maxFruitless)
      throw new SourceError(statements.pages_repeat({ platform, what }), {
        advised: statements.tell_if_lasting({ platform }),
      })
    cursor = next
  }
}
