import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { rawRows } from '../../db/raw-rows.ts'
import { operationLogHead } from '../../db/schema.ts'
import { schemaVersion } from '../../db/schema-version.ts'
import { currentTime } from '../../runtime/clock.ts'
import { stewardVersion } from '../../runtime/version.ts'
import type { Manifest, TableFigures } from '../file/manifest.ts'
import { literal, quoted, quotedList, readTables, type Table, type TableSelection } from './catalogue.ts'
import { recordValues } from './record-values.ts'

/** Bytes of rows read at a time, about: a snapshot needs a few times that much memory, whatever the tables contain. */
const pageLength = 1_000_000
const firstPage = 100
/** The most by which a page may have more rows than the one before: the next rows may be longer. */
const growth = 4
/** The limit, however short the rows before were. */
const maxRows = 4000

/** The alias of a page in SQL; no column has this name: with the name of a column, it would mean that column. */
const pageRows = '"rows of a page"'

/** Makes values and literals independent of the server's settings, as pg_dump does. */
const exactly = [
  'datestyle = ISO',
  'intervalstyle = postgres',
  'extra_float_digits = 1',
  'standard_conforming_strings = on',
]

/**
 * Yields every table at one moment: a line `["table", name, columns]`, then a row a line, and at the end
 * `["manifest", …]`. A row is PostgreSQL's text of a record, `(1,ann,"a, b",)`, as a JSON string, which takes half the
 * time of a JSON object. The lines are UTF-8; the consumer decides how fast they are read.
 */
export const withSnapshot = async <T>(
  db: Db,
  take: (lines: AsyncGenerator<Buffer>) => Promise<T>,
  selection: TableSelection = 'backup',
): Promise<T> => {
  const tables = await readTables(db, selection)
  return db.transaction(
    async (tx) => {
      // Before the first query, which takes the snapshot: one that is older than the lock could see a table empty that
      // a restore has just truncated.
      await tx.execute(sql.raw(`lock table ${quotedList(tables.map(({ name }) => name))} in access share mode`))
      for (const setting of exactly) await tx.execute(sql.raw(`set local ${setting}`))
      return take(linesOf(tx, tables))
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function* linesOf(tx: Tx, tables: readonly Table[]): AsyncGenerator<Buffer> {
  const takenAt = new Date(currentTime()).toISOString()
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
 * Page by page, each combined into one text by the database: receiving rows one by one takes several times as long as
 * reading them.
 */
async function* rowsOf(tx: Tx, table: Table, hash: Hash): AsyncGenerator<Buffer, number> {
  const readPage = pageReader(tx, table)
  let count = 0
  let arriving = readPage(firstPage, null)
  for (;;) {
    const { rows, lines, after } = await arriving
    if (rows === 0) return count
    // While this page is compressed and written, the database prepares the next one, which is probably as long.
    const likely = Math.max(1, Math.floor((pageLength * rows) / lines.length))
    arriving = readPage(Math.min(likely, growth * rows, maxRows), after)
    // The consumer may have stopped when it fails; otherwise it is awaited above.
    arriving.catch(() => {})
    // The client starts sending in a later turn of the event loop, which the work here would delay.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    hash.update(lines)
    count += rows
    yield lines
  }
}

interface Page {
  rows: number
  /** A record a line, as a JSON string. */
  lines: Buffer
  /** The key of the last row, its values as text. */
  after: string[]
}

/**
 * The query contains its values as literals: one with parameters is sent in two steps, the second of which would wait
 * until the page before has been compressed. The database writes the lines as they are in the file: read as texts and
 * written as JSON here, they took this process more time than to compress them.
 * @returns reads a number of rows after the one with the key `after`, in the order of the primary key
 */
const pageReader = (tx: Tx, { name, columns, types, key }: Table) => {
  if (key.length === 0) throw new Error(`${name} has no primary key to be read by`)
  const order = quotedList(key)
  const keyTypes = key.map((column) => types[column])
  const keyPlaces = key.map((column) => columns.indexOf(column))
  const beyond = (after: readonly string[]): string => {
    const values = after.map((value, index) => `${literal(value)}::${keyTypes[index]}`)
    return `where (${order}) > (${values.join(', ')})`
  }
  return async (wanted: number, after: readonly string[] | null): Promise<Page> => {
    const query = `
      select count(*), coalesce(string_agg(to_json(${pageRows}::text)::text || E'\\n', ''), '') from (
        select ${quotedList(columns)} from ${quoted(name)}
        ${after === null ? '' : beyond(after)} order by ${order} limit ${wanted}
      ) ${pageRows}`
    const [page] = await rawRows(tx, query).catch((error: unknown) => {
      // The driver keeps the text of the query, which contains a key, out of what is logged.
      throw new Error(`Reading ${name} failed`, { cause: error })
    })
    const [count, lines] = page ?? []
    if (count === undefined || lines === undefined) throw new Error('The page answered no row')
    const rows = Number(count)
    const last = rows === 0 ? [] : recordValues(lastRecord(lines))
    return { rows, lines, after: rows === 0 ? [] : keyPlaces.map((place) => keyValue(last[place])) }
  }
}

const lastRecord = (lines: Buffer): string =>
  JSON.parse(lines.toString('utf8', lines.lastIndexOf('\n', lines.length - 2) + 1)) as string

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
