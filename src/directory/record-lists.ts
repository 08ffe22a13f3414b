import { type Column, type SQL, sql, type Table } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { jsonObject } from '../db/json-record.ts'
import type { Page } from './paging.ts'

export interface RecordList<T> {
  /** On all pages. */
  total: number
  records: T[]
}

/**
 * The records that pass a filter, newest first: a page of them, or all.
 * @param record makes a row of `table` one record
 * @param wanted what a row of `table` has to be like; undefined: anything
 */
export const listRecords = async <T>(
  db: Db,
  table: Table & { id: Column },
  { record, wanted, page }: { record: SQL<T>; wanted: SQL | undefined; page: Page | null },
): Promise<RecordList<T>> => {
  const where = wanted ? sql`where ${wanted}` : sql``
  const window = page ? sql`order by ${table.id} desc limit ${page.limit} offset ${page.offset}` : sql``
  const [row] = await db
    .select({
      list: jsonObject<RecordList<T>>({
        total: sql`(select count(*) from ${table} ${where})`,
        records: sql`coalesce(json_agg(${record} order by ${table.id} desc), '[]'::json)`,
      }),
    })
    .from(sql`(select * from ${table} ${where} ${window}) as ${table}`)
  return row?.list ?? { total: 0, records: [] }
}

/** All records of a `from`, in the order given. */
export const allRecords = async <T>(
  db: Db,
  { record, from, order }: { record: SQL<T>; from: SQL; order: SQL },
): Promise<T[]> => {
  const [row] = await db
    .select({ records: sql<T[]>`coalesce(json_agg(${record} order by ${order}), '[]'::json)` })
    .from(from)
  return row?.records ?? []
}
