import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/client.ts'
import { schemaVersion } from '../../db/schema-version.ts'
import { sqlStateOf } from '../../db/sql-state.ts'
import { type RememberedTable, rememberEntries, rememberedAs, rememberedTables } from '../../mirror/ledger/restore.ts'
import { BackupFileError } from '../file/file-error.ts'
import type { Manifest } from '../file/manifest.ts'
import { type ReadBackup, type ReadOptions, readBackup } from '../file/read.ts'
import { quoted, quotedList, readTables, type Table } from '../tables/catalogue.ts'
import { createRowType, insertRows, type Place, placeOf } from '../tables/insert-rows.ts'
import { withoutConstraints } from '../tables/without-constraints.ts'
import { refuseNewer } from './refuse-newer.ts'
import { extentOf } from './restored-tables.ts'

/**
 * Replaces the data by what a backup holds, in the caller's transaction, which has taken the tables. The file is read and
 * checked once more on the way, so that one that changed since it was verified does not come through.
 *
 * The rows of an older schema are loaded into the present tables: later columns get their defaults, later tables are
 * empty. That is what the migrations so far do to existing rows; a migration that does more must say here what happens
 * to rows from before it.
 *
 * A file selects among the tables and columns of our own catalogue, and only names from there become SQL; its rows and
 * figures are parameters.
 * @throws BackupFileError when the file is not as it was written, has a schema that does not fit, or the database
 *   refuses its rows
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
        if (isRemembered(name)) await insertRows(tx, place, rows, { into: rememberedAs(name), wanted: 'all' })
        const wanted = extentOf(name)
        if (wanted !== 'nothing')
          await insertRows(tx, place, rows, { into: sql`${sql.identifier(place.name)}`, wanted })
      },
    })
  }
  await withoutConstraints(tx, replaced, load).catch(asFileError)
  if (read === undefined) throw new Error('The backup was not read')
  refuseNewer(read.manifest.schema, await schemaVersion(tx))
  await advanceIds(tx, tables, read.manifest)
  await rememberEntries(tx)
  return read
}

/** Classes 22 (data exception) and 23 (constraint violation): the file is the reason. */
const asFileError = (error: unknown): never => {
  const state = sqlStateOf(error)
  if (state === null || !/^2[23]/.test(state)) throw error
  // The database's own message may contain values.
  throw new BackupFileError(`the database refuses what it holds (SQLSTATE ${state})`, { cause: error })
}

const isRemembered = (name: string): name is RememberedTable => rememberedTables.some((each) => each === name)

/** No identifier is reused that was assigned here or where the backup was made. */
const advanceIds = async (tx: Tx, tables: ReadonlyMap<string, Table>, { tables: figures }: Manifest): Promise<void> => {
  for (const { name, sequence } of tables.values()) {
    const lastId = figures[name]?.lastId ?? null
    if (sequence === null || lastId === null || extentOf(name) === 'nothing') continue
    await tx.execute(sql`
      select setval(${sequence}::regclass, greatest(last_value, ${lastId}::bigint)) from ${sql.raw(sequence)}
      where not is_called or last_value < ${lastId}::bigint`)
  }
}
