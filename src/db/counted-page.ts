import { and, type Column, type SQL, sql, type Table } from 'drizzle-orm'
import type { Db } from './client.ts'
import type { KeyedRow, Keyset } from './keyset.ts'

/** A list is counted up to this number. */
const countedTo = 10_000

/**
 * Where so few pass the filter, they are found first and sorted then; where more do, records are read in the order of
 * the list until the page is full. Either way the time does not grow with the number of records.
 */
const few = 2000

/** The conditions for the records that pass a filter. */
export interface Passing {
  /** Finds the first of them fast where they are few; undefined: it is known that the order of the list is faster. */
  probe?: SQL | undefined
  /** Decides fast of each record in the order of the list; undefined: all pass. */
  each: SQL | undefined
}

export interface Count {
  total: number
  /** false where there are more than `total`. */
  totalIsExact: boolean
}

export interface CountedPage<Row> extends Count {
  /** One more than the page has, where another one follows. */
  rows: readonly Row[]
}

export interface ListedTable {
  table: Table & { id: Column }
  keyset: Keyset
  /** Selects `record`, `key` and `id` of the rows of `page`. */
  records: SQL
}

/** Reads a page of the records that pass, and counts them. */
export const readCountedPage = async <Row extends KeyedRow>(
  db: Db,
  list: ListedTable,
  { probe, each }: Passing,
): Promise<CountedPage<Row>> => {
  const found = (probe && (await readFew(db, list, probe))) ?? (await readInOrder(db, list, each))
  return found as CountedPage<Row>
}

const inOrder = ({ keyset, records }: ListedTable): SQL => sql`${records} order by ${keyset.orderBy}`

const readInOrder = async (db: Db, list: ListedTable, wanted: SQL | undefined): Promise<CountedPage<KeyedRow>> => {
  const { table, keyset } = list
  const rows = await db.execute<KeyedRow>(sql`
    with page as (
      select * from ${table} where ${and(sql`true`, wanted, keyset.beyond)}
      order by ${keyset.orderBy} limit ${keyset.rows}
    ) ${inOrder(list)}`)
  const [counted] = await db.execute<{ total: number }>(sql`
    select count(*)::int as total
    from (select from ${table} where ${wanted ?? sql`true`} limit ${countedTo + 1}) as counted`)
  const total = counted?.total ?? 0
  return { rows, total: Math.min(total, countedTo), totalIsExact: total <= countedTo }
}

/** Null where too many pass. */
const readFew = async (db: Db, list: ListedTable, wanted: SQL): Promise<CountedPage<KeyedRow> | null> => {
  const { table, keyset } = list
  const { columns, beyond, orderBy } = keyset.narrow
  const [found] = await db.execute<{ total: number; rows: KeyedRow[] }>(sql`
    with found as materialized (select ${columns} from ${table} where ${wanted} limit ${few + 1}),
      counted as materialized (select count(*)::int as total from found),
      page as (
        select * from ${table} where ${table.id} = any (array(
          select id from found where ${and(sql`(select total from counted) <= ${few}`, beyond)}
          order by ${orderBy} limit ${keyset.rows}))
      )
    select total, coalesce((select json_agg(listed) from (${inOrder(list)}) as listed), '[]'::json) as rows
    from counted`)
  const { total = 0, rows = [] } = found ?? {}
  return total > few ? null : { rows, total, totalIsExact: true }
}
