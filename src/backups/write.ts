import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { Db } from '../db/client.ts'
import { sealFrames } from './frames.ts'
import { headerLine, keyOf, newHeader } from './header.ts'
import { withSnapshot } from './snapshot.ts'

/**
 * Several times as fast as the usual level, for a file that is a fifth larger. A page may wait for the one before it, so
 * that the next is made meanwhile.
 */
const compression = { level: constants.Z_BEST_SPEED, chunkSize: 128 * 1024, highWaterMark: 2 * 1024 * 1024 }

/**
 * Writes everything the database holds into a new file that only its owner can read. When this resolves the file is on
 * the disk; when it rejects, part of it may be.
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
