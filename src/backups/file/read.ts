import { createHash, type Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../failures/caught-error.ts'
import { byteReader } from './byte-reader.ts'
import { BackupFileError } from './file-error.ts'
import { openFrames } from './frames.ts'
import { keyOf, longestHeader, parseHeader, type Trust } from './header.ts'
import { countLines, headStart, lineFeed, linesOf } from './lines.ts'
import { compareTables, longestHead, type Manifest, maxTables, parseHeadLine, type TableHead } from './manifest.ts'
import { openRegularFile } from './regular-file.ts'
import { sizeText } from './size-text.ts'
import { defaultUnpackLimit } from './unpack-limit.ts'

/** The longest row, bytes; our longest, the page of a report, has less than one MB. */
const longestRow = 32 * 1024 * 1024

/** A file whose content matches its manifest. */
export interface ReadBackup {
  manifest: Manifest
  /** Whether it is encrypted with a BACKUP_KEY, so that only a holder of the key can have made it. */
  encrypted: boolean
  /** Bytes. */
  size: number
  /** Bytes of its content, unpacked. */
  unpacked: number
  /** Of the whole file, in hex. */
  sha256: string
}

export interface ReadOptions extends Trust {
  /** A regular file; a link is not followed. */
  file: string
  /** The limit of the unpacked content in bytes; default `defaultUnpackLimit`. */
  unpackLimit?: number | undefined
  /** Called with a table before its rows. */
  onTable?: (table: TableHead) => Promise<void>
  /**
   * Called with a batch of rows, each a line with a JSON string (see snapshot.ts). They may be used only once the whole
   * file has been read.
   */
  onRows?: (table: TableHead, rows: Buffer) => Promise<void>
  /** Called repeatedly with the number of rows that were read so far. */
  progress?: (rows: number) => void
  /** Ends the reading. */
  signal?: AbortSignal
}

/**
 * Reads a backup from its first byte to its last, in bounded memory whatever the file contains.
 * @throws BackupFileError when any part of it is not as it was written, and the error of the file system
 */
export const readBackup = async (options: ReadOptions): Promise<ReadBackup> => {
  const { file, unpackLimit = defaultUnpackLimit, signal } = options
  const whole = createHash('sha256')
  const handle = await openRegularFile(file)
  const bytes = handle.createReadStream({ highWaterMark: 256 * 1024 })
  const contents = openContents(hashing(bytes, whole), options)
  try {
    const tables = tableReader(options)
    let unpacked = 0
    for await (const lines of linesOf(contents.unpacked, longestRow)) {
      signal?.throwIfAborted()
      unpacked += lines.length
      if (unpacked > unpackLimit) {
        throw new BackupFileError(`it unpacks to more than ${sizeText(unpackLimit)} (BACKUP_UNPACK_LIMIT)`)
      }
      await tables.take(lines)
    }
    const manifest = tables.end()
    if (!contents.isComplete()) throw new BackupFileError('it contains data after its end')
    const { encrypted } = contents
    return { manifest, encrypted: encrypted(), size: bytes.bytesRead, unpacked, sha256: whole.digest('hex') }
  } catch (error) {
    throw isUnpackingError(error)
      ? new BackupFileError('it is damaged: it cannot be unpacked', { cause: error })
      : error
  } finally {
    contents.unpacked.destroy()
    bytes.destroy()
  }
}

/** Takes the lines in order: a table, its rows, the next table, …, the manifest. */
export const tableReader = ({
  onTable = async () => {},
  onRows = async () => {},
  progress,
}: Pick<ReadOptions, 'onTable' | 'onRows' | 'progress'>) => {
  const found = new Map<string, { rows: number; hash: Hash }>()
  let manifest: Manifest | undefined
  let table: TableHead | undefined
  let rowsRead = 0

  const takeRows = async (rows: Buffer): Promise<void> => {
    const figures = table && found.get(table.name)
    if (table === undefined || figures === undefined || manifest !== undefined) {
      throw new BackupFileError('it contains rows that do not belong to a table')
    }
    const count = countLines(rows)
    figures.rows += count
    figures.hash.update(rows)
    await onRows(table, rows)
    rowsRead += count
    progress?.(rowsRead)
  }

  const takeHead = async (line: string): Promise<void> => {
    if (manifest !== undefined) throw new BackupFileError('it contains data after its manifest')
    const head = parseHeadLine(line)
    if (head.kind === 'manifest') {
      manifest = head.manifest
      return
    }
    table = head.table
    // The manifest could match the second one alone.
    if (found.has(table.name)) throw new BackupFileError(`it contains table ${table.name} twice`)
    if (found.size === maxTables) throw new BackupFileError(`it contains more than ${maxTables} tables`)
    found.set(table.name, { rows: 0, hash: createHash('sha256') })
    await onTable(table)
  }

  return {
    async take(lines: Buffer): Promise<void> {
      for (let at = 0, end: number; at < lines.length; at = end) {
        const isHead = lines[at] === headStart
        const next = isHead ? lines.indexOf(lineFeed, at) : lines.indexOf('\n[', at)
        end = next < 0 ? lines.length : next + 1
        if (!isHead) await takeRows(lines.subarray(at, end))
        else if (end - at > longestHead) throw new BackupFileError('its manifest is damaged')
        else await takeHead(lines.toString('utf8', at, end))
      }
    },

    /** @throws BackupFileError unless the content matches the manifest */
    end(): Manifest {
      if (manifest === undefined) throw new BackupFileError('it has no manifest')
      const figures = [...found].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }] as const)
      compareTables(manifest.tables, new Map(figures))
      return manifest
    },
  }
}

/** The content, decrypted and unpacked. Its reader gets all errors on the way. */
const openContents = (bytes: AsyncIterable<Buffer>, trust: Trust) => {
  let encrypted = false
  let complete = false
  const frames = async function* (): AsyncGenerator<Buffer> {
    const reader = byteReader(bytes)
    const line = await reader.line(longestHeader)
    const header = parseHeader(line)
    encrypted = header.encrypted
    yield* openFrames(reader, { key: keyOf(header, trust), header: line })
    complete = true
  }
  const unpacked = pipeline(Readable.from(frames()), createGunzip({ chunkSize: 512 * 1024 }), () => {})
  return {
    unpacked,
    encrypted: () => encrypted,
    /** Whether the file was read to its end: the compressed stream may end before. */
    isComplete: () => complete,
  }
}

const isUnpackingError = (error: unknown): boolean => codeOf(error)?.startsWith('Z_') === true

async function* hashing(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}
