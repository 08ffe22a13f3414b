import { createHash, type Hash, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/client.ts'
import { operationLogHead } from '../db/schema.ts'
import { stewardVersion } from '../version.ts'
import { literal, quoted, quotedList, readTables, type Table } from './catalogue.ts'
import type { Manifest, TableFigures } from './manifest.ts'
import { recordValues } from './record-values.ts'
import { schemaVersion } from './schema-version.ts'

/** Characters of rows read at a time, about: a snapshot takes a few times that in memory, whatever the tables hold. */
const pageLength = 1_000_000
const firstPage = 100
/** How many times as many rows a page has as the one before, at the most: the next ones may be longer. */
const growth = 4
/** However short those before were. */
const mostRows = 4000

/** What a page is called in SQL, as no column ever is: the name of a column would be read as that, not as the row. */
const pageRows = '"rows of a page"'

/** So that values are written, and literals read, the same whatever the server is set to, as pg_dump does. */
const exactly = [
  'datestyle = ISO',
  'intervalstyle = postgres',
  'extra_float_digits = 1',
  'standard_conforming_strings = on',
]

/**
 * Hands out every table as it is at one moment: a line `["table", name, columns]`, then a row a line, and at the end
 * `["manifest", …]`. A row is what PostgreSQL writes for a record, `(1,ann,"a, b",)`, as a JSON string: it takes half as
 * long to make as a JSON object does. Whoever takes the lines, in UTF-8, decides how fast they are read.
 */
export const withSnapshot = async <T>(db: Db, take: (lines: AsyncGenerator<Buffer>) => Promise<T>): Promise<T> => {
  const tables = await readTables(db)
  return db.transaction(
    async (tx) => {
      // Before the first query, which takes the snapshot: one that is older than the lock could find a table empty that
      // a restore has just truncated.
      await tx.execute(sql.raw(`lock table ${quotedList(tables.map(({ name }) => name))} in access share mode`))
      for (const setting of exactly) await tx.execute(sql.raw(`set local ${setting}`))
      return take(linesOf(tx, tables))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function* linesOf(tx: Tx, tables: readonly Table[]): AsyncGenerator<Buffer> {
  const takenAt = new Date().toISOString()
  const figures: Record<string, TableFigures> = {}
  for (const table of tables) {
    yield line(['table', table.name, table.columns])
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
  yield line(['manifest', manifest])
}

const line = (content: unknown): Buffer => Buffer.from(`${JSON.stringify(content)}\n`)

/**
 * Page by page, each made one text by the database: rows that arrive one by one take several times as long to receive as
 * to read.
 */
async function* rowsOf(tx: Tx, table: Table, hash: Hash): AsyncGenerator<Buffer, number> {
  // What comes between two records. No row holds it: it is younger than the snapshot.
  const mark = randomBytes(16).toString('hex')
  const readPage = pageReader(tx, table, mark)
  let count = 0
  let arriving = readPage(firstPage, null)
  for (;;) {
    const { rows, records, after } = await arriving
    if (rows === 0) return count
    // While these are packed and written the database gets the next ones ready, which are likely to be as long.
    const likely = Math.max(1, Math.floor((pageLength * rows) / records.length))
    arriving = readPage(Math.min(likely, growth * rows, mostRows), after)
    // Whoever takes the lines may have gone when it fails; otherwise it is awaited above.
    arriving.catch(() => {})
    // The client begins to send it in turns of its own, which the work here would hold up.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    const lines = linesOfRecords(records, mark)
    hash.update(lines)
    count += rows
    yield lines
  }
}

/** A record a line, as a JSON string, in UTF-8. */
const linesOfRecords = (records: string, mark: string): Buffer =>
  Buffer.from(`${JSON.stringify(records).replaceAll(mark, '"\n"')}\n`)

interface Page {
  rows: number
  /** With the mark between them; empty where there are no rows. */
  records: string
  /** The key of the last row, each of its values as text. */
  after: string[]
}

/**
 * The query holds its values as literals: one with parameters is sent in two steps, the second of which would wait until
 * the page before has been packed.
 * @returns reads so many rows after the one with the key `after`, in the order of the primary key
 */
const pageReader = (tx: Tx, { name, columns, types, key }: Table, mark: string) => {
  if (key.length === 0) throw new Error(`${name} has no primary key to be read by`)
  const order = quotedList(key)
  const keyTypes = key.map((column) => types[column])
  const keyPlaces = key.map((column) => columns.indexOf(column))
  const beyond = (after: readonly string[]): string => {
    const values = after.map((value, index) => `${literal(value)}::${keyTypes[index]}`)
    return `where (${order}) > (${values.join(', ')})`
  }
  return async (wanted: number, after: readonly string[] | null): Promise<Page> => {
    const query = sql.raw(`
      select count(*)::int as rows, coalesce(string_agg(${pageRows}::text, ${literal(mark)}), '') as records from (
        select ${quotedList(columns)} from ${quoted(name)}
        ${after === null ? '' : beyond(after)} order by ${order} limit ${wanted}
      ) ${pageRows}`)
    const [page] = await tx.execute<{ rows: number; records: string }>(query).catch((error: unknown) => {
      // The text of the query holds a key, which is nothing for a log.
      throw new Error(`Reading ${name} failed`, { cause: error instanceof DrizzleQueryError ? error.cause : error })
    })
    if (page === undefined) throw new Error('The page answered no row')
    const { rows, records } = page
    const begin = records.lastIndexOf(mark)
    const last = rows === 0 ? [] : recordValues(begin < 0 ? records : records.slice(begin + mark.length))
    return { rows, records, after: rows === 0 ? [] : keyPlaces.map((place) => keyValue(last[place])) }
  }
}

const keyValue = (value: string | null | undefined): string => {
  if (value == null) throw new Error('A row has no value for its primary key')
  return value
}

const lastIdOf = async (tx: Tx, { sequence }: Table): Promise<number | null> => {
  if (sequence === null) return null
  const [row] = await tx.execute<{ last: string | null }>(
    sql.raw(`select case when is_called then last_value end as last from ${sequence}`),
  )
  return row?.last == null ? null : Number(row.last)
}
