import { and, type Column, type SQL, sql, type Table } from 'drizzle-orm'
import type { Db } from './client.ts'
import type { KeyedRow, Keyset } from './keyset.ts'

/**
 * A list is counted up to this number. Where no more pass the filter, they are found first and sorted then; where more
 * do, records are read in the order of the list until the page is full. Either way the time does not grow with the number
 * of records.
 */
const countedTo = 10_000
/**
 * So many records are read in the order of the list. If the page is not full then, those who pass are at the far end of
 * it, such as all who have a name with the same beginning: all that pass are sorted.
 */
const lookAhead = 10_000

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
  if (probe === undefined) {
    const rows = await readInOrder(db, list, each)
    return { rows, ...(await countUp(db, list, each)) } as CountedPage<Row>
  }
  const { total, rows } = await readFound(db, list, probe, countedTo)
  if (total <= countedTo) return { rows, total, totalIsExact: true } as CountedPage<Row>
  const ahead = await readInOrder(db, list, each, lookAhead)
  const isFull = ahead.length === list.keyset.rows
  const page = isFull ? ahead : (await readFound(db, list, probe)).rows
  return { rows: page, total: countedTo, totalIsExact: false } as CountedPage<Row>
}

const inOrder = ({ keyset, records }: ListedTable): SQL => sql`${records} order by ${keyset.orderBy}`

/** @param among how many records of the list are read; undefined: until the page is full */
const readInOrder = async (
  db: Db,
  list: ListedTable,
  wanted: SQL | undefined,
  among?: number,
): Promise<readonly KeyedRow[]> => {
  const { table, keyset } = list
  const { beyond, orderBy } = keyset
  const source = among
    ? sql`(select * from ${table} where ${beyond ?? sql`true`} order by ${orderBy} limit ${among}) as ${table}`
    : table
  return db.execute<KeyedRow>(sql`
    with page as (
      select * from ${source} where ${and(sql`true`, wanted, among ? undefined : beyond)}
      order by ${orderBy} limit ${keyset.rows}
    ) ${inOrder(list)}`)
}

const countUp = async (db: Db, { table }: ListedTable, wanted: SQL | undefined): Promise<Count> => {
  const [counted] = await db.execute<{ total: number }>(sql`
    select count(*)::int as total
    from (select from ${table} where ${wanted ?? sql`true`} limit ${countedTo + 1}) as counted`)
  const total = counted?.total ?? 0
  return { total: Math.min(total, countedTo), totalIsExact: total <= countedTo }
}

/**
 * Finds all that pass, and sorts them.
 * @param most if more pass, there are no rows, and the total is one more; undefined: however many they are
 */
const readFound = async (
  db: Db,
  list: ListedTable,
  wanted: SQL,
  max?: number,
): Promise<{ total: number; rows: readonly KeyedRow[] }> => {
  const { table, keyset } = list
  const { columns, beyond, orderBy } = keyset.narrow
  const [bound, isBounded] = max
    ? [sql`limit ${max + 1}`, sql`(select total from counted) <= ${max}`]
    : [undefined, undefined]
  const [found] = await db.execute<{ total: number; rows: KeyedRow[] }>(sql`
    with found as materialized (select ${columns} from ${table} where ${wanted} ${bound}),
      counted as materialized (select count(*)::int as total from found),
      page as (
        select * from ${table} where ${table.id} = any (array(
          select id from found where ${and(sql`true`, isBounded, beyond)}
          order by ${orderBy} limit ${keyset.rows}))
      )
    select total, coalesce((select json_agg(listed) from (${inOrder(list)}) as listed), '[]'::json) as rows
    from counted`)
  return found ?? { total: 0, rows: [] }
}
