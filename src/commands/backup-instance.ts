import { desc } from 'drizzle-orm'
import { openPrincipals } from '../access/principals.ts'
import { openAlertQueue, type RaiseAlert } from '../alerts/alert-queue.ts'
import { openOutbox, outboxOptions } from '../alerts/notifications/outbox.ts'
import { openPasswords } from '../auth/passwords.ts'
import { transportCipher } from '../auth/transport-cipher.ts'
import type { Backups } from '../backups/backups.ts'
import { openBackups } from '../backups/open-backups.ts'
import type { Config } from '../config/config.ts'
import { followClock } from '../db/clock.ts'
import { backups as records } from '../db/schema.ts'
import { openTasks } from '../jobs/tasks.ts'
import { seeding } from '../main/bootstrap.ts'
import { isInstalled } from '../people/installed.ts'
import { openLifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { openUnlessServed } from './existing-database.ts'

const serviceAdvice = 'stop it first, or use its console: Security, Backups'

/** An instance that only makes and restores backups. */
export interface Instance {
  backups: Pick<Backups, 'create' | 'restoreFile'>
  raise: RaiseAlert
  /** Whether the service has started on this database before. */
  isInstalled: () => Promise<boolean>
  /** Whether the newest backup made here was encrypted: a BACKUP_KEY exists then, even if it is not set now. */
  encrypts: () => Promise<boolean>
  close: () => Promise<void>
}

/**
 * Opens what backups need on the database that the settings name, and creates the database if it does not exist.
 * @throws ConfigError when a running service has the embedded database open
 */
export const openInstance = async (config: Config, log: Logger): Promise<Instance> => {
  const { dataDir, timeZone } = config
  const database = await openUnlessServed(config, serviceAdvice, { log })
  const { db } = database
  const { atEnd, end: close } = openLifetime(log)
  atEnd(database.close)
  try {
    atEnd(await followClock(database, log))
    const secrets = loadSecrets(dataDir, config)
    const passwords = openPasswords({ cipher: transportCipher(secrets.transportKey), scheme: config.passwordScheme })
    const alerts = openAlertQueue({ db, outbox: openOutbox(outboxOptions(config)), log })
    atEnd(alerts.close)
    const backups = openBackups({
      database,
      principals: openPrincipals({ database, secondFactor: config.secondFactor }),
      folder: config.backupDir,
      secrets: config.backupSecrets,
      unpackLimit: config.backupUnpackLimit,
      timeZone,
      raise: alerts.raise,
      tasks: openTasks({ database, log }),
      log,
      seed: seeding({ db, passwords, config, log }),
    })
    return {
      backups,
      raise: alerts.raise,
      isInstalled: () => isInstalled(db),
      async encrypts() {
        const [newest] = await db
          .select({ encrypted: records.encrypted })
          .from(records)
          .orderBy(desc(records.id))
          .limit(1)
        return newest?.encrypted ?? false
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
