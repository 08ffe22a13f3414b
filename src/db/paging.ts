/** The paging of a list operation; both absent means everything. */
export interface PageQuery {
  /** From 1. */
  pageNum?: number
  /** 1…1000 */
  pageSize?: number
}

export interface Page {
  limit: number
  offset: number
}

/** The requested page, or null for everything. One parameter alone implies page 1, or 10 records a page. */
export const pageOf = ({ pageNum, pageSize }: PageQuery): Page | null => {
  if (pageNum === undefined && pageSize === undefined) return null
  const limit = pageSize ?? 10
  return { limit, offset: ((pageNum ?? 1) - 1) * limit }
}

/** Records read at a time where all are requested. */
export const batchSize = 1000

/**
 * Reads all records, the newest first, a batch at a time, so that memory does not grow with the table. It pages by key
 * and holds no transaction: records written meanwhile may or may not be returned, no record is returned twice.
 * @param read records with an id below `before`, newest first, at most `batchSize`
 */
export const newestFirst = <T extends { id: number }>(
  read: (before: number) => Promise<T[]>,
): AsyncGenerator<T[], void, undefined> => newestFirstBy(({ id }) => id, read)

/** The same for records whose key has another name than `id`. */
export async function* newestFirstBy<T>(
  idOf: (record: T) => number,
  read: (before: number) => Promise<T[]>,
): AsyncGenerator<T[], void, undefined> {
  let before = Number.MAX_SAFE_INTEGER
  while (true) {
    const batch = await read(before)
    const last = batch.at(-1)
    if (last === undefined) return
    yield batch
    if (batch.length < batchSize) return
    before = idOf(last)
  }
}

/** Records below an id: where a page of a list that is newest first begins. */
export interface IdCursor {
  /** The `next` of the page before. */
  cursor?: number
  limit: number
}

/**
 * A page of a list that is newest first.
 * @param read at most `count` records with an id below `before`, newest first
 */
export const idPage = async <T extends { id: number }>(
  { cursor, limit }: IdCursor,
  read: (before: number, count: number) => Promise<T[]>,
): Promise<{ records: T[]; next: number | null }> => {
  const found = await read(cursor ?? Number.MAX_SAFE_INTEGER, limit + 1)
  const records = found.slice(0, limit)
  return { records, next: found.length > limit ? (records.at(-1)?.id ?? null) : null }
}
