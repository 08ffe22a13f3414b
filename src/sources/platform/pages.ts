import { SourceError } from '../source.ts'
import { idAt, type JsonObject } from './json.ts'

export interface Page<Cursor> {
  rows: readonly JsonObject[]
  /** Where the next page starts; null: this was the last one. */
  next: Cursor | null
}

export interface Listing<Cursor> {
  first: Cursor
  read: (cursor: Cursor) => Promise<Page<Cursor>>
  /** The field that tells rows apart. */
  idField: string
  /** As messages name it: `DingTalk`, `the people of department 12`. */
  platform: string
  what: string
}

/**
 * Pages in a row that bring nobody new before a listing counts as one that goes round in circles. A page may come
 * twice, and may be empty when all of it is hidden from the app.
 */
const mostFruitless = 5

/** @throws SourceError when a listing does not get on; whatever `read` throws */
export async function* readPages<Cursor>(listing: Listing<Cursor>): AsyncGenerator<readonly JsonObject[]> {
  const { read, idField, platform, what } = listing
  const seen = new Set<string>()
  let cursor = listing.first
  let fruitless = 0
  for (;;) {
    const { rows, next } = await read(cursor)
    yield rows
    if (next === null) return
    const before = seen.size
    for (const row of rows) seen.add(idAt(row[idField]))
    fruitless = seen.size > before ? 0 : fruitless + 1
    if (fruitless === mostFruitless)
      throw new SourceError(`${platform} answers the same pages of ${what} over and over`, {
        advice: `Try again; if it stays so, ${platform} has to be told.`,
      })
    cursor = next
  }
}
