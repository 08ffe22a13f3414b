import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Db } from '../db/client.ts'
import { sealFrames } from './frames.ts'
import { headerLine, keyOf, newHeader } from './header.ts'
import { withSnapshot } from './snapshot.ts'

/**
 * Several times as fast as the usual level, for a file that is a fifth larger. One page may be buffered, so that the
 * next is prepared meanwhile.
 */
const compression = { level: constants.Z_BEST_SPEED, chunkSize: 128 * 1024, highWaterMark: 2 * 1024 * 1024 }

/**
 * Writes the whole database into a new file that only its owner can read. When this resolves the file is synced to the
 * disk; when it rejects, a part of it may be there.
 * @param secret BACKUP_KEY; null: not encrypted
 */
export const writeBackup = (db: Db, { file, secret }: { file: string; secret: string | null }): Promise<void> => {
  const header = newHeader(secret)
  const sealing = { key: keyOf(header, { secrets: secret === null ? [] : [secret] }), header: headerLine(header) }
  return withSnapshot(db, (lines) =>
    pipeline(
      lines,
      createGzip(compression),
      (compressed: AsyncIterable<Buffer>) => sealFrames(compressed, sealing),
      createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    ),
  )
}
