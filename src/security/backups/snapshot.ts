import { createHash, type Hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { operationLogHead } from '../../db/schema.ts'
import { stewardVersion } from '../../version.ts'
import { quoted, quotedList, readTables, type Table } from './catalogue.ts'
import type { Manifest, TableFigures } from './manifest.ts'
import { schemaVersion } from './schema-version.ts'

/** Characters of rows read at a time, about: what a snapshot takes in memory, whatever the tables hold. */
const batchLength = 1_000_000
const firstBatch = 100
const mostRows = 10_000

/**
 * Hands out every table as it is at one moment: a line `["table", name, columns]`, then a row a line as a JSON object
 * (its columns by their number in that list), and at the end `["manifest", …]`. Whoever takes the lines decides how fast they are read.
 */
export const withSnapshot = async <T>(db: Db, take: (lines: AsyncGenerator<string>) => Promise<T>): Promise<T> => {
  const tables = await readTables(db)
  return db.transaction(
    async (tx) => {
      // Before the first query, which takes the snapshot: one that is older than the lock could find a table empty that
      // a restore has just truncated.
      await tx.execute(sql.raw(`lock table ${quotedList(tables.map(({ name }) => name))} in access share mode`))
      return take(linesOf(tx, tables))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function* linesOf(tx: Tx, tables: readonly Table[]): AsyncGenerator<string> {
  const takenAt = new Date().toISOString()
  const figures: Record<string, TableFigures> = {}
  for (const table of tables) {
    yield `${JSON.stringify(['table', table.name, table.columns])}\n`
    const hash = createHash('sha256')
    const rows = yield* rowsOf(tx, table, hash)
    figures[table.name] = { rows, sha256: hash.digest('hex'), lastId: await lastIdOf(tx, table) }
  }
  const [head] = await tx.select({ seq: operationLogHead.seq, hash: operationLogHead.hash }).from(operationLogHead)
  const manifest: Manifest = {
    steward: stewardVersion,
    takenAt,
    schema: await schemaVersion(tx),
    logHead: head ?? null,
    tables: figures,
  }
  yield `${JSON.stringify(['manifest', manifest])}\n`
}

async function* rowsOf(tx: Tx, { name, key, columns }: Table, hash: Hash): AsyncGenerator<string, number> {
  const order = key.length > 0 ? `order by ${quotedList(key)}` : ''
  // Named by their place: names take more than the values of most rows.
  const numbered = columns.map((column, index) => `${quoted(column)} as "${index}"`).join(', ')
  await tx.execute(
    sql.raw(
      `declare backup_rows no scroll cursor for
       select to_json(t)::text as row from (select ${numbered} from ${quoted(name)} ${order}) t`,
    ),
  )
  const fetch = (wanted: number): Promise<{ row: string }[]> => {
    const fetched = tx.execute<{ row: string }>(sql.raw(`fetch ${wanted} from backup_rows`)).execute()
    // Whoever takes the lines may have gone when it fails; otherwise it is awaited below.
    fetched.catch(() => {})
    return fetched
  }
  let count = 0
  let next = fetch(firstBatch)
  for (;;) {
    const rows = await next
    if (rows.length === 0) break
    const lines = `${rows.map(({ row }) => row).join('\n')}\n`
    // While these are packed and written the database gets the next ones ready, which are likely to be as long.
    next = fetch(Math.min(Math.max(1, Math.floor((batchLength * rows.length) / lines.length)), mostRows))
    hash.update(lines)
    count += rows.length
    yield lines
  }
  await tx.execute(sql`close backup_rows`)
  return count
}

const lastIdOf = async (tx: Tx, { sequence }: Table): Promise<number | null> => {
  if (sequence === null) return null
  const [row] = await tx.execute<{ last: string | null }>(
    sql.raw(`select case when is_called then last_value end as last from ${sequence}`),
  )
  return row?.last == null ? null : Number(row.last)
}
