import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { quoted, quotedList, readTables, type Table } from './catalogue.ts'
import { detached, referringTables } from './detached.ts'
import { BackupFileError } from './file-error.ts'
import type { Manifest } from './manifest.ts'
import { type ReadBackup, type ReadOptions, readBackup, type TableHead } from './read.ts'
import { type Extent, extentOf } from './restored-tables.ts'
import { refuseNewer, schemaVersion } from './schema-version.ts'

/**
 * Replaces the data by what a backup holds, in the caller's transaction. The file is read and checked once more on the
 * way, so that one that changed since it was verified does not come through.
 *
 * The rows of an older schema are loaded into the present tables: columns that came later take their defaults, tables
 * that came later are empty. That is what the migrations so far do to rows that are there; one that does more than add
 * has to say here what becomes of rows from before it.
 * @throws BackupFileError when the file is not as it was written, or of a schema that does not fit
 */
export const loadBackup = async (tx: Tx, options: Pick<ReadOptions, 'file' | 'secrets'>): Promise<ReadBackup> => {
  const tables = new Map((await readTables(tx)).map((table) => [table.name, table]))
  const replaced = [...tables.keys()].filter((name) => extentOf(name) === 'all')
  const referring = await referringTables(tx, replaced)
  // The directory's ledger before all others, for its holders go on to the tables (see ldap/ledger.ts).
  await tx.execute(sql`lock table directory_entries in exclusive mode`)
  await tx.execute(sql.raw(`lock table ${quotedList([...replaced, ...referring])} in access exclusive mode`))

  let read: ReadBackup | undefined
  await detached(tx, replaced, async () => {
    await tx.execute(sql.raw(`truncate ${quotedList(replaced)}`))
    for (const name of tables.keys()) {
      const extent = extentOf(name)
      if (typeof extent === 'object') await tx.execute(sql.raw(`delete from ${quoted(name)} where ${extent.where}`))
    }
    read = await readBackup({
      ...options,
      onTable: async (head) => {
        if (extentOf(head.name) === 'nothing') return
        const table = known(head, tables.get(head.name))
        await createRowType(tx, head, table.types)
      },
      onRows: (head, rows) => insert(tx, head, rows),
    })
  })
  if (read === undefined) throw new Error('The backup was not read')
  refuseNewer(read.manifest.schema, await schemaVersion(tx))
  await advanceIds(tx, tables, read.manifest)
  return read
}

/** The table as it is here. @throws BackupFileError where it has no place for what the backup holds: that would be lost */
const known = ({ name, columns }: TableHead, table: Table | undefined): Table => {
  if (table === undefined) throw new BackupFileError(`this version of Steward has no table ${name}`)
  const unknown = columns.find((column) => !table.columns.includes(column))
  if (unknown !== undefined) throw new BackupFileError(`this version of Steward has no column ${unknown} in ${name}`)
  return table
}

/** The type of a table's rows as the backup has them: its columns in its order, each as it is called and typed here. */
const rowType = (name: string): string => quoted(`backup row of ${name}`)

const createRowType = async (tx: Tx, { name, columns }: TableHead, types: Table['types']): Promise<void> => {
  const typed = columns.map((column) => `${quoted(column)} ${types[column]}`).join(', ')
  await tx.execute(sql.raw(`create temporary table ${rowType(name)} (${typed}) on commit drop`))
}

const insert = async (tx: Tx, { name, columns }: TableHead, rows: Buffer): Promise<void> => {
  const extent: Extent = extentOf(name)
  if (extent === 'nothing') return
  const names = sql.raw(quotedList(columns))
  // A line feed is in no JSON string: it is what separates them.
  const list = `[${rows.toString('utf8', 0, rows.length - 1).replaceAll('\n', ',')}]`
  const wanted = extent === 'all' ? '' : `where ${extent.where}`
  // With an offset the subquery stays one: otherwise each record would be read anew for each of its columns.
  await tx.execute(sql`
    insert into ${sql.raw(quoted(name))} (${names}) overriding system value
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
    await tx.execute(
      sql.raw(
        `select setval('${sequence}', greatest(last_value, ${lastId})) from ${sequence} where not is_called or last_value < ${lastId}`,
      ),
    )
  }
}
