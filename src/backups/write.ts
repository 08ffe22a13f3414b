import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Db } from '../db/client.ts'
import { sealFrames } from './file/frames.ts'
import { headerLine, keyOf, newHeader } from './file/header.ts'
import { countLines, headStart } from './file/lines.ts'
import { withSnapshot } from './tables/snapshot.ts'

/**
 * Several times as fast as the usual level, for a file that is a fifth larger. One page may be buffered, so that the
 * next is prepared meanwhile.
 */
const compression = { level: constants.Z_BEST_SPEED, chunkSize: 128 * 1024, highWaterMark: 2 * 1024 * 1024 }

export interface WriteOptions {
  file: string
  /** BACKUP_KEY; null: not encrypted. */
  secret: string | null
  /** Called repeatedly with the number of rows that were written so far. */
  progress?: (rows: number) => void
  /** Ends the writing. */
  signal?: AbortSignal | undefined
}

/**
 * Writes the whole database into a new file that only its owner can read. When this resolves the file is synced to the
 * disk; when it rejects, a part of it may be there.
 */
export const writeBackup = (db: Db, { file, secret, progress, signal }: WriteOptions): Promise<void> => {
  const header = newHeader(secret)
  const sealing = { key: keyOf(header, { secrets: secret === null ? [] : [secret] }), header: headerLine(header) }
  return withSnapshot(db, (lines) =>
    pipeline(
      counted(lines, progress),
      createGzip(compression),
      (compressed: AsyncIterable<Buffer>) => sealFrames(compressed, sealing),
      createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    ),
  )
}

/** A line that is not a row comes by itself (see snapshot.ts). */
async function* counted(
  lines: AsyncIterable<Buffer>,
  progress: (rows: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let rows = 0
  for await (const chunk of lines) {
    yield chunk
    if (chunk[0] === headStart) continue
    rows += countLines(chunk)
    progress(rows)
  }
}
