import { mkdirSync, statSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'

/**
 * Creates the data directory with mode 0700. A directory that other users may enter is refused: the database writes its
 * files, with password hashes, readable and writable for every user, so that only the directory protects them.
 */
export const ensurePrivateFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mode = statSync(folder).mode & 0o777
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ConfigError([
      `DATA_DIR: ${folder} is open to other users (mode ${mode.toString(8)}); run: chmod 700 ${folder}`,
    ])
  }
}
