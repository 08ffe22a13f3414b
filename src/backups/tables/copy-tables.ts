import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client.ts'
import { holdClaim } from '../../db/move-claim.ts'
import { lineFeed } from '../file/lines.ts'
import type { Manifest } from '../file/manifest.ts'
import { tableReader } from '../file/read.ts'
import { quoted, quotedList, readTables, type Table } from './catalogue.ts'
import { createRowType, insertRows, type Place, placeOf } from './insert-rows.ts'
import { withSnapshot } from './snapshot.ts'
import { ofSource } from './source-error.ts'
import { withoutConstraints } from './without-constraints.ts'

/** What a table holds, to be compared with the same table of another database. */
export interface Content {
  rows: number
  /** Of all rows, whatever their order: text is sorted by the collation of the database. */
  digest: string
  /** The newest identifier that was given; null: none yet, or the table has no sequence. */
  lastId: number | null
}

export type Contents = ReadonlyMap<string, Content>

type Progress = (rows: number) => void

/** Rows of each table. */
export const countRows = async (db: Db): Promise<Map<string, number>> => {
  const tables = await readTables(db, 'move')
  const counts = tables.map(({ name }, place) => `select ${place} as place, count(*) as rows from ${quoted(name)}`)
  const found = await db.execute<{ place: number; rows: string }>(sql.raw(counts.join(' union all ')))
  const rowsAt = new Map(found.map(({ place, rows }) => [place, Number(rows)]))
  return new Map(tables.map(({ name }, place) => [name, rowsAt.get(place) ?? 0]))
}

/**
 * Replaces every row of one database by those of another one with the same schema, in one transaction: operation log,
 * sessions and ledger too, which a restore leaves alone. The other one is read at one moment and may be in use.
 * @returns what was read there
 * @throws SourceError when the other one refuses to be read
 */
export const copyTables = async (from: Db, to: Db, progress: Progress): Promise<Contents> => {
  // An error of the target is returned, so that what is thrown is the source's: the driver rejects a transaction one of whose
  // queries has failed, whatever its callback returns.
  const [filled] = await ofSource(
    withSnapshot(from, (lines) => Promise.allSettled([fill(to, lines, progress)]), 'move'),
  )
  if (filled.status === 'rejected') throw filled.reason
  return filled.value
}

const fill = (to: Db, lines: AsyncIterable<Buffer>, progress: Progress): Promise<Contents> =>
  to.transaction(async (tx) => {
    await holdClaim(tx)
    const tables = new Map((await readTables(tx, 'move')).map((table) => [table.name, table]))
    const names = [...tables.keys()]
    const places = new Map<string, Place>()
    let read: ReadContents | undefined
    await withoutConstraints(tx, names, async () => {
      await tx.execute(sql.raw(`truncate ${quotedList(names)}`))
      read = await readContents(lines, {
        onTable: async (head) => {
          const place = placeOf(head, tables.get(head.name))
          places.set(head.name, place)
          await createRowType(tx, place)
        },
        onRows: async ({ name }, rows) => {
          const place = places.get(name)
          if (place !== undefined) {
            await insertRows(tx, place, rows, { into: sql`${sql.identifier(name)}`, wanted: 'all' })
          }
        },
        progress,
      })
    })
    if (read === undefined) throw new Error('The database was not read')
    await setSequences(tx, [...tables.values()], read.manifest)
    return read.contents
  })

/** What every table holds, at one moment. */
export const contentsOf = (db: Db, progress: Progress): Promise<Contents> =>
  withSnapshot(db, async (lines) => (await readContents(lines, { progress })).contents, 'move')

/** The tables that differ, and in what; empty: they hold the same. */
export const differences = (here: Contents, there: Contents): string[] =>
  [...new Set([...here.keys(), ...there.keys()])].sort().flatMap((name) => {
    const [one, other] = [here.get(name), there.get(name)]
    if (one?.rows !== other?.rows) return [`${name} has ${other?.rows ?? 'no'} rows instead of ${one?.rows ?? 'none'}`]
    if (one?.digest !== other?.digest) return [`the rows of ${name} differ`]
    return one?.lastId === other?.lastId ? [] : [`the next identifier of ${name} differs`]
  })

/** One text for all of it: equal contents have an equal one. */
export const digestOf = (contents: Contents): string => {
  const tables = [...contents].map(([name, { rows, digest, lastId }]) => [name, rows, digest, lastId])
  return hash('sha256', JSON.stringify(tables.sort()), 'hex')
}

interface ReadContents {
  manifest: Manifest
  contents: Contents
}

const readContents = async (
  lines: AsyncIterable<Buffer>,
  { onTable, onRows, progress }: Parameters<typeof tableReader>[0],
): Promise<ReadContents> => {
  const digests = new Map<string, ReturnType<typeof rowDigest>>()
  const reader = tableReader({
    onTable: async (head) => {
      digests.set(head.name, rowDigest())
      await onTable?.(head)
    },
    onRows: async (head, rows) => {
      digests.get(head.name)?.add(rows)
      await onRows?.(head, rows)
    },
    ...(progress && { progress }),
  })
  for await (const some of lines) await reader.take(some)
  const manifest = reader.end()
  const contents = Object.entries(manifest.tables).map(([name, { rows, lastId }]): [string, Content] => [
    name,
    { rows, lastId, digest: digests.get(name)?.value() ?? '' },
  ])
  return { manifest, contents: new Map(contents) }
}

/** The sum of the SHA-256 of all rows, by parts of 32 bits: a row that is missing, twice or different changes it. */
const rowDigest = () => {
  const sum = new Uint32Array(8)
  return {
    /** @param lines a row each */
    add(lines: Buffer): void {
      for (let at = 0, end: number; at < lines.length; at = end + 1) {
        end = lines.indexOf(lineFeed, at)
        const digest = hash('sha256', lines.subarray(at, end), 'buffer')
        for (let part = 0; part < sum.length; part += 1) sum[part] = (sum[part] ?? 0) + digest.readUInt32LE(part * 4)
      }
    },
    value: (): string => Buffer.from(sum.buffer).toString('hex'),
  }
}

/** An attempt that failed may have moved them: sequences are not part of transactions. */
const setSequences = async (tx: Tx, tables: readonly Table[], { tables: figures }: Manifest): Promise<void> => {
  for (const { name, sequence } of tables) {
    if (sequence === null) continue
    const lastId = figures[name]?.lastId ?? null
    await tx.execute(sql`select setval(${sequence}::regclass, ${lastId ?? 1}::bigint, ${lastId !== null})`)
  }
}
