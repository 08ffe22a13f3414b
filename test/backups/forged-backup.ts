import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sealFrames } from '../../src/backups/file/frames.ts'
import { headerLine, keyOf, newHeader } from '../../src/backups/file/header.ts'

export interface Forged {
  file: string
  /** null: without a key, as any user of the format can. */
  secret: string | null
  /** The content, unpacked. */
  content: Iterable<Buffer> | AsyncIterable<Buffer>
  /** Packs it; gzip by default. */
  pack?: (content: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
}

const gzip = (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  Readable.from(content).pipe(createGzip({ level: 1 }))

/** A backup file whose frames are right, whatever they carry. */
export const forge = async ({ file, secret, content, pack = gzip }: Forged): Promise<void> => {
  const header = newHeader(secret)
  const sealing = { key: keyOf(header, { secrets: secret === null ? [] : [secret] }), header: headerLine(header) }
  await pipeline(sealFrames(pack(Readable.from(content)), sealing), createWriteStream(file))
}

/** Rows of a table in a file: a line each. */
export interface ForgedTable {
  name: unknown
  columns: unknown
  rows: readonly string[]
  lastId?: unknown
}

export const line = (content: unknown): Buffer => Buffer.from(`${JSON.stringify(content)}\n`)

/** Content with a manifest that matches it. @param manifest replaces what the manifest says */
export const contentOf = (
  tables: readonly ForgedTable[],
  schema: unknown,
  manifest: Readonly<Record<string, unknown>> = {},
): Buffer[] => {
  const figures = tables.map(({ name, rows, lastId = null }) => {
    const hash = createHash('sha256')
    for (const row of rows) hash.update(line(row))
    return [name, { rows: rows.length, sha256: hash.digest('hex'), lastId }] as const
  })
  return [
    ...tables.flatMap(({ name, columns, rows }) => [line(['table', name, columns]), ...rows.map(line)]),
    line([
      'manifest',
      {
        steward: '0.1.0',
        takenAt: '2026-01-01T00:00:00.000Z',
        schema,
        logHead: null,
        tables: Object.fromEntries(figures),
        ...manifest,
      },
    ]),
  ]
}
