import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { BackupFileError } from '../file/file-error.ts'
import type { TableHead } from '../file/manifest.ts'
import type { Extent } from '../restore/restored-tables.ts'
import { quoted, quotedList, type Table } from './catalogue.ts'

/**
 * The destination of a file's rows: a table and its columns, in the file's order, by the names of our own catalogue.
 */
export interface Place extends Pick<Table, 'name' | 'types'> {
  columns: string[]
}

/** @throws BackupFileError where a table or column of the backup does not exist: its data would be lost */
export const placeOf = (head: TableHead, table: Table | undefined): Place => {
  if (table === undefined) throw new BackupFileError(`this version of Steward has no table ${head.name}`)
  const columns = head.columns.map((wanted) => {
    const column = table.columns.find((name) => name === wanted)
    if (column === undefined) {
      throw new BackupFileError(`this version of Steward has no column ${wanted} in ${table.name}`)
    }
    return column
  })
  return { name: table.name, types: table.types, columns }
}

/** The type of a table's rows in the backup: its columns in its order, with the names and types of our catalogue. */
const rowType = (name: string): string => quoted(`backup row of ${name}`)

export const createRowType = async (tx: Tx, { name, columns, types }: Place): Promise<void> => {
  const typed = columns.map((column) => `${quoted(column)} ${types[column]}`).join(', ')
  await tx.execute(sql.raw(`create temporary table ${rowType(name)} (${typed}) on commit drop`))
}

interface Destination {
  into: SQL
  wanted: Exclude<Extent, 'nothing'>
}

export const insertRows = async (
  tx: Tx,
  { name, columns }: Place,
  rows: Buffer,
  { into, wanted: extent }: Destination,
): Promise<void> => {
  const names = sql.raw(quotedList(columns))
  // A JSON string never contains a line feed: it separates the rows.
  const list = `[${rows.toString('utf8', 0, rows.length - 1).replaceAll('\n', ',')}]`
  const wanted = extent === 'all' ? '' : `where ${extent.where}`
  // With an offset the planner keeps the subquery: otherwise each record would be parsed again for each of its columns.
  await tx.execute(sql`
    insert into ${into} (${names}) overriding system value
    select ${names} from (
      select (r.record).* from (
        select line::${sql.raw(rowType(name))} as record
        from json_array_elements_text(${list}::json) as lines (line) offset 0
      ) r
    ) t
    ${sql.raw(wanted)}`)
}
