import { type Config, ConfigError } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import { isInUse } from '../db/in-use.ts'
import { bootstrap } from '../directory/bootstrap.ts'
import { isInstalled } from '../directory/installed.ts'
import { openPasswords } from '../directory/passwords.ts'
import { openPrincipals } from '../directory/principals.ts'
import { loadSecrets } from '../directory/secrets.ts'
import { openTokens } from '../directory/tokens.ts'
import { transportCipher } from '../directory/transport-cipher.ts'
import { documents } from '../generated/documents.ts'
import type { Logger } from '../log.ts'
import { type Alarms, openAlarms } from '../security/alerts/open-alarms.ts'
import { type Backups, openBackups } from '../security/backups/open-backups.ts'
import { openOutbox, outboxOptions } from '../security/notifications/outbox.ts'

/** An instance of its own that does nothing but restore. */
export interface Instance {
  backups: Pick<Backups, 'restoreFile'>
  alarm: Alarms['raise']
  /** Whether there is data that would be replaced. */
  isInstalled: () => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Opens what a restore needs on the database that the settings name, and makes it where there is none yet.
 * @throws ConfigError when the embedded database is a running service's alone
 */
export const openInstance = async (config: Config, log: Logger): Promise<Instance> => {
  const { databaseUrl, dataDir, timeZone, adminPassword, connectors } = config
  const database = await openDatabase({ url: databaseUrl, dataDir, log }).catch((error: unknown) => {
    throw isInUse(error) ? servedAlready(dataDir) : error
  })
  const { db } = database
  try {
    const secrets = loadSecrets(dataDir, config)
    const tokens = await openTokens({ secret: secrets.jwt, ttl: config.tokenTtl })
    const passwords = openPasswords({ cipher: transportCipher(secrets.transportKey), scheme: config.passwordScheme })
    const alarms = openAlarms({ db, outbox: openOutbox(outboxOptions(config)), log })
    const backups = openBackups({
      database,
      principals: openPrincipals({ database, tokens }),
      folder: config.backupDir,
      secrets: config.backupSecrets,
      timeZone,
      alarm: alarms.raise,
      log,
      seed: () => bootstrap({ db, documents, passwords, adminPassword, connectors }),
    })
    return {
      backups,
      alarm: alarms.raise,
      isInstalled: () => isInstalled(db),
      async close() {
        await alarms.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

const servedAlready = (dataDir: string): ConfigError =>
  new ConfigError([
    `DATA_DIR: the service that runs on ${dataDir} has the embedded database for itself; stop it first, or restore by POST /api/v1/security/backups/{id}/restore`,
  ])
