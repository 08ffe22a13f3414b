import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { databaseOf } from '../config/database.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../db/client.ts'
import { FolderInUseError } from '../db/embedded/folder-in-use.ts'
import { ConfigError } from '../failures/errors.ts'

/**
 * Call it before opening the database, which would create an embedded one.
 * @throws ConfigError when the embedded database does not exist yet
 */
export const requireDatabase = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): void => {
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres'))) throw neverStarted({ databaseUrl, dataDir })
}

/** The error for a database on which the service has never started. */
export const neverStarted = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): ConfigError => {
  const where = databaseUrl === null ? `DATA_DIR: ${dataDir}` : 'DATABASE_URL: the database'
  return new ConfigError([`${where} holds no installation yet: start the service once`])
}

/**
 * Opens the database that the settings name.
 * @param advice what to do when a running service has the embedded database open
 * @throws ConfigError when it cannot be opened, for example because a service has it open
 */
export const openUnlessServed = (
  config: Config,
  advice: string,
  options: Pick<DatabaseOptions, 'log' | 'upToDate'>,
): Promise<Database> =>
  openDatabase({ ...databaseOf(config), ...options }).catch((error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error
    throw new ConfigError([
      `DATA_DIR: the service that runs on ${config.dataDir} has the embedded database for itself; ${advice}`,
    ])
  })
