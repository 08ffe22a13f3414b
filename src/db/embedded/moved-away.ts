import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../failures/errors.ts'
import { syncPath } from './durable-folder.ts'

const fileOf = (dataDir: string): string => join(dataDir, 'moved-to-a-server')

/**
 * Notes that the embedded database of this folder was moved to a server. Its data stays, but a start that forgot
 * DATABASE_URL must not go on with it: it would set the directory back.
 */
export const noteMoved = (dataDir: string): void => {
  const text = 'steward move has moved the database of this folder to a server. See docs/installation.md.\n'
  try {
    writeFileSync(fileOf(dataDir), text, { mode: 0o600, flush: true })
  } catch (error) {
    // On a full disk an empty file is left, and the move could not be repeated to its end.
    rmSync(fileOf(dataDir), { force: true })
    throw error
  }
  syncPath(dataDir)
}

/** Why no service starts on this folder without DATABASE_URL; null: its embedded database was not moved to a server. */
export const movedProblem = (dataDir: string): string | null =>
  existsSync(fileOf(dataDir))
    ? `DATABASE_URL: required, because the embedded database in ${dataDir} was moved to a server; to go on with the old data, which lacks every change since, remove ${fileOf(dataDir)}`
    : null

/** @throws ConfigError when the embedded database was moved to a server */
export const refuseMoved = (dataDir: string): void => {
  const problem = movedProblem(dataDir)
  if (problem !== null) throw new ConfigError([problem])
}
