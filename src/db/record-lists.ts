import { and, type Column, desc, lt, type SQL, sql, type Table } from 'drizzle-orm'
import type { Db } from './client.ts'
import { jsonObject } from './json-record.ts'
import { numberedPage } from './numbered-page.ts'
import { batchSize, newestFirst, type Page } from './paging.ts'

export interface RecordList<T> {
  /** The number of records on all pages. */
  total: number
  records: T[]
}

/**
 * A page of the records that pass a filter, newest first.
 * @param record the record of a row of `table`
 * @param wanted the condition for a row of `table`; undefined: every row
 */
export const listRecords = async <T>(
  db: Db,
  table: Table & { id: Column },
  { record, wanted, page }: { record: SQL<T>; wanted: SQL | undefined; page: Page },
): Promise<RecordList<T>> => {
  const where = wanted ? sql`where ${wanted}` : sql``
  const list = jsonObject<RecordList<T>>({
    total: sql`(select total from counted)`,
    records: sql`coalesce(json_agg(${record} order by ${table.id} desc), '[]'::json)`,
  })
  const [row] = await db.execute<{ list: RecordList<T> }>(
    sql`with ${numberedPage(table, where, page)} select ${list} as list from page as ${table}`,
  )
  return row?.list ?? { total: 0, records: [] }
}

/** All records that pass a filter, newest first, in batches. */
export const streamRecords = <T extends { id: number }>(
  db: Db,
  table: Table & { id: Column },
  { record, wanted }: { record: SQL<T>; wanted: SQL | undefined },
): AsyncGenerator<T[], void, undefined> =>
  newestFirst(async (before) => {
    const rows = await db
      .select({ record })
      .from(table)
      .where(and(wanted, lt(table.id, before)))
      .orderBy(desc(table.id))
      .limit(batchSize)
    return rows.map((row) => row.record as T)
  })

/** All records of a `from`, in the given order. Only for tables that administrators fill. */
export const allRecords = async <T>(
  db: Db,
  { record, from, order }: { record: SQL<T>; from: SQL; order: SQL },
): Promise<T[]> => {
  const [row] = await db
    .select({ records: sql<T[]>`coalesce(json_agg(${record} order by ${order}), '[]'::json)` })
    .from(from)
  return row?.records ?? []
}
