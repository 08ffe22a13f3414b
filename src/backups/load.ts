import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { sqlStateOf } from '../db/sql-state.ts'
import { type RememberedTable, rememberEntries, rememberedAs, rememberedTables } from '../mirror/ledger-restore.ts'
import { quoted, quotedList, readTables, type Table } from './catalogue.ts'
import { detached } from './detached.ts'
import { BackupFileError } from './file-error.ts'
import type { Manifest, TableHead } from './manifest.ts'
import { type ReadBackup, type ReadOptions, readBackup } from './read.ts'
import { type Extent, extentOf } from './restored-tables.ts'
import { refuseNewer, schemaVersion } from './schema-version.ts'

/**
 * Replaces the data by what a backup holds, in the caller's transaction, which has taken the tables. The file is read and checked once more on the
 * way, so that one that changed since it was verified does not come through.
 *
 * The rows of an older schema are loaded into the present tables: columns that came later take their defaults, tables
 * that came later are empty. That is what the migrations so far do to rows that are there; one that does more than add
 * has to say here what becomes of rows from before it.
 *
 * A file chooses among the tables and columns of our own catalogue, and only names from there become SQL; its rows and
 * figures are parameters.
 * @throws BackupFileError when the file is not as it was written, of a schema that does not fit, or the database refuses
 *   what it holds
 */
export const loadBackup = async (tx: Tx, options: Omit<ReadOptions, 'onTable' | 'onRows'>): Promise<ReadBackup> => {
  const tables = new Map((await readTables(tx)).map((table) => [table.name, table]))
  const replaced = [...tables.keys()].filter((name) => extentOf(name) === 'all')

  let read: ReadBackup | undefined
  const places = new Map<string, Place>()
  const load = async (): Promise<void> => {
    await tx.execute(sql.raw(`truncate ${quotedList(replaced)}`))
    for (const name of rememberedTables) {
      const shape = sql`(like ${sql.identifier(name)} including defaults) on commit drop`
      await tx.execute(sql`create temporary table ${rememberedAs(name)} ${shape}`)
    }
    for (const name of tables.keys()) {
      const extent = extentOf(name)
      if (typeof extent === 'object') await tx.execute(sql.raw(`delete from ${quoted(name)} where ${extent.where}`))
    }
    read = await readBackup({
      ...options,
      onTable: async (head) => {
        if (extentOf(head.name) === 'nothing' && !isRemembered(head.name)) return
        const place = placeOf(head, tables.get(head.name))
        places.set(head.name, place)
        await createRowType(tx, place)
      },
      onRows: async ({ name }, rows) => {
        const place = places.get(name)
        if (place === undefined) return
        if (isRemembered(name)) await insert(tx, place, rows, { into: rememberedAs(name), wanted: 'all' })
        const wanted = extentOf(name)
        if (wanted !== 'nothing') await insert(tx, place, rows, { into: sql`${sql.identifier(place.name)}`, wanted })
      },
    })
  }
  await detached(tx, replaced, load).catch(asFileError)
  if (read === undefined) throw new Error('The backup was not read')
  refuseNewer(read.manifest.schema, await schemaVersion(tx))
  await advanceIds(tx, tables, read.manifest)
  await rememberEntries(tx)
  return read
}

/** Classes 22 (a value is no value of its type) and 23 (a constraint does not hold): the file is at fault. */
const asFileError = (error: unknown): never => {
  const state = sqlStateOf(error)
  if (state === null || !/^2[23]/.test(state)) throw error
  // The database's own message may hold values.
  throw new BackupFileError(`the database refuses what it holds (SQLSTATE ${state})`, { cause: error })
}

/** Where rows of a file go: a table and its columns, in the file's order, by the names of our own catalogue. */
interface Place extends Pick<Table, 'name' | 'types'> {
  columns: string[]
}

/** @throws BackupFileError where there is no place for what the backup holds: that would be lost */
const placeOf = (head: TableHead, table: Table | undefined): Place => {
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

/** The type of a table's rows as the backup has them: its columns in its order, each as it is called and typed here. */
const rowType = (name: string): string => quoted(`backup row of ${name}`)

const createRowType = async (tx: Tx, { name, columns, types }: Place): Promise<void> => {
  const typed = columns.map((column) => `${quoted(column)} ${types[column]}`).join(', ')
  await tx.execute(sql.raw(`create temporary table ${rowType(name)} (${typed}) on commit drop`))
}

const isRemembered = (name: string): name is RememberedTable => rememberedTables.some((each) => each === name)

interface Destination {
  into: SQL
  wanted: Exclude<Extent, 'nothing'>
}

const insert = async (
  tx: Tx,
  { name, columns }: Place,
  rows: Buffer,
  { into, wanted: extent }: Destination,
): Promise<void> => {
  const names = sql.raw(quotedList(columns))
  // A line feed is in no JSON string: it is what separates them.
  const list = `[${rows.toString('utf8', 0, rows.length - 1).replaceAll('\n', ',')}]`
  const wanted = extent === 'all' ? '' : `where ${extent.where}`
  // With an offset the subquery stays one: otherwise each record would be read anew for each of its columns.
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

/** No identifier is given out again that has been given out here or where the backup was made. */
const advanceIds = async (tx: Tx, tables: ReadonlyMap<string, Table>, { tables: said }: Manifest): Promise<void> => {
  for (const { name, sequence } of tables.values()) {
    const lastId = said[name]?.lastId ?? null
    if (sequence === null || lastId === null || extentOf(name) === 'nothing') continue
    await tx.execute(sql`
      select setval(${sequence}::regclass, greatest(last_value, ${lastId}::bigint)) from ${sql.raw(sequence)}
      where not is_called or last_value < ${lastId}::bigint`)
  }
}
