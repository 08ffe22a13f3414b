import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { byteReader } from './byte-reader.ts'
import { BackupFileError } from './file-error.ts'
import { openFrames } from './frames.ts'
import { keyOf, longestHeader, parseHeader } from './header.ts'
import { countLines, lineFeed, linesOf } from './lines.ts'
import { compareTables, type Manifest, parseManifest } from './manifest.ts'

/** What the lines that are no rows begin with. */
const bracket = 0x5b

/** A table whose rows follow. */
export interface TableHead {
  name: string
  columns: string[]
}

/** A file that holds what its manifest says. */
export interface ReadBackup {
  manifest: Manifest
  /** Bytes. */
  size: number
  /** Of the whole file, in hex. */
  sha256: string
}

export interface ReadOptions {
  file: string
  /** BACKUP_KEY: the present one and those it replaced. */
  secrets: readonly string[]
  /** Hears of a table before its rows. */
  onTable?: (table: TableHead) => Promise<void>
  /**
   * Takes rows a batch at a time, each a line with a JSON string (see snapshot.ts). What they say counts only once the
   * whole file has been read.
   */
  onRows?: (table: TableHead, rows: Buffer) => Promise<void>
}

/**
 * Reads a backup from its first byte to its last.
 * @throws BackupFileError when any of it is not as it was written, and the error of the file system
 */
export const readBackup = async ({
  file,
  secrets,
  onTable = async () => {},
  onRows = async () => {},
}: ReadOptions): Promise<ReadBackup> => {
  const whole = createHash('sha256')
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 })
  const contents = openContents(hashing(bytes, whole), secrets)
  try {
    const found = new Map<string, { rows: number; hash: Hash }>()
    let manifest: Manifest | undefined
    let table: TableHead | undefined

    const takeRows = async (rows: Buffer): Promise<void> => {
      const figures = table && found.get(table.name)
      if (table === undefined || figures === undefined || manifest !== undefined) {
        throw new BackupFileError('it holds rows that belong to no table')
      }
      figures.rows += countLines(rows)
      figures.hash.update(rows)
      await onRows(table, rows)
    }

    const takeHead = async (line: string): Promise<void> => {
      const [kind, ...rest] = JSON.parse(line) as [string, ...unknown[]]
      if (kind === 'manifest') {
        manifest = parseManifest(rest[0])
        return
      }
      const [name, columns] = rest as [string, string[]]
      table = { name, columns }
      found.set(name, { rows: 0, hash: createHash('sha256') })
      await onTable(table)
    }

    for await (const lines of linesOf(contents)) {
      for (let at = 0, end: number; at < lines.length; at = end) {
        const isHead = lines[at] === bracket
        const next = isHead ? lines.indexOf(lineFeed, at) : lines.indexOf('\n[', at)
        end = next < 0 ? lines.length : next + 1
        if (isHead) await takeHead(lines.toString('utf8', at, end))
        else await takeRows(lines.subarray(at, end))
      }
    }
    if (manifest === undefined) throw new BackupFileError('it has no manifest')
    const figures = [...found].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }] as const)
    compareTables(manifest.tables, new Map(figures))
    return { manifest, size: bytes.bytesRead, sha256: whole.digest('hex') }
  } finally {
    contents.destroy()
    bytes.destroy()
  }
}

/** The content, in clear and unpacked. Its reader meets whatever goes wrong on the way. */
const openContents = (bytes: AsyncIterable<Buffer>, secrets: readonly string[]): Readable => {
  const frames = async function* (): AsyncGenerator<Buffer> {
    const reader = byteReader(bytes)
    const header = await reader.line(longestHeader)
    yield* openFrames(reader, { key: keyOf(parseHeader(header), secrets), header })
  }
  const unpacked = createGunzip({ chunkSize: 512 * 1024 })
  return pipeline(Readable.from(frames()), unpacked, () => {})
}

async function* hashing(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}
