import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../errors.ts'

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
