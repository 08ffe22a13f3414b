// The room main.
// Assembles the rooms: which handlers serve which tag of which document; the server, the start, the stop.
// It never contains a rule.

import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { countingBursts } from '../alerts/bursts.ts'
import { openOutbox, outboxOptions } from '../alerts/notifications/outbox.ts'
import { openAlerting } from '../alerts/open-alerting.ts'
import { openAudit } from '../audit/open-audit.ts'
import { openVerifications } from '../audit/verification.ts'
import { openAuth } from '../auth/open-auth.ts'
import { openSignInProof } from '../auth/sign-in-proof.ts'
import { openBackground } from '../background.ts'
import { openBackups } from '../backups/open-backups.ts'
import type { Config } from '../config/config.ts'
import { memoryStore } from '../contract/cache/store.ts'
import { type Database, openDatabase } from '../db/client.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { AppError } from '../errors.ts'
import { documents } from '../generated/documents.ts'
import { openSchedule } from '../jobs/schedule.ts'
import { openTasks } from '../jobs/tasks.ts'
import { openLifetime } from '../lifetime.ts'
import { openLive } from '../live/open-live.ts'
import { openMail } from '../mail/mail.ts'
import { type Mirror, openMirror } from '../mirror/mirror.ts'
import { adoptedPasswords } from '../people/adopted-passwords.ts'
import { directoryPasswordChanges } from '../people/directory-password-changes.ts'
import { refreshMobileKeys } from '../people/mobile-keys.ts'
import { openPosture } from '../posture/open-posture.ts'
import { reasons } from '../reasons.ts'
import { connectRedis } from '../redis/connect-redis.ts'
import { sharedStore } from '../redis/shared-store.ts'
import { loadSecrets } from '../secrets.ts'
import { openSync } from '../sync/open-sync.ts'
import { mobileKeys } from '../text/identity-keys.ts'
import { buildApp } from './app.ts'
import { bootstrap } from './bootstrap.ts'
import { scheduledJobs } from './jobs.ts'
import { regularLooks } from './looks.ts'
import { servedDocuments } from './served-documents.ts'

export interface Steward {
  app: FastifyInstance
  database: Database
  mirror: Mirror
  /** The administrator's password, generated at the very first start and stored nowhere; otherwise null. */
  generatedPassword: string | null
  /** Finishes the work in progress, then closes everything. */
  close(): Promise<void>
}

export interface StewardOptions {
  config: Config
  log: FastifyBaseLogger
  /** Opens the database; default: that of the configuration. */
  open?: typeof openDatabase
  /** Milliseconds since 1970, for daily work; default: the host's clock. */
  now?: () => number
}

/**
 * Opens everything the configuration asks for and puts the service together. It does not listen yet.
 *
 * Long: one step for each room, in the order in which they need each other.
 */
export const openSteward = async ({ config, log, open = openDatabase, now }: StewardOptions): Promise<Steward> => {
  const { atEnd, end } = openLifetime(log)
  try {
    const redis = await connectRedis({ redisUrl: config.redisUrl, log })
    atEnd(() => redis?.close())
    const database = await open({ url: config.databaseUrl, dataDir: config.dataDir, log })
    atEnd(database.close)
    const { db } = database
    const secrets = loadSecrets(config.dataDir, config)
    const outbox = openOutbox(outboxOptions(config))
    const audit = await openAudit({ database, outbox, config, atEnd, log })
    const mail = openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'mail'), log })
    const alerting = openAlerting({
      ...{ db, outbox, mail, config, atEnd, log },
      looks: regularLooks({ db, outbox, config, servers: () => mirror.servers(), log }),
    })
    const { raise } = alerting.alerts
    const journal = countingBursts(audit.journal, { raise })
    const kept = redis === null ? memoryStore() : sharedStore(redis)
    // Where Redis is away it is cleared before it is used again.
    const droppedAll = (): void => void kept.clear().catch(() => {})
    const auth = await openAuth({ database, secrets, alerting, outbox, audit, journal, droppedAll, config, atEnd })
    const { principals, passwords } = auth
    const { operationLog, keys } = audit

    const mobileKey = mobileKeys(config.defaultRegion)
    const seed = async () => {
      await refreshMobileKeys({ db, region: config.defaultRegion, log })
      return bootstrap({ db, documents, passwords, adminPassword: config.adminPassword, connectors: config.connectors })
    }
    const { generatedPassword } = await seed()

    const { timeZone } = config
    const mirror: Mirror = await openMirror({
      ...{ config, database, log },
      throttleBind: auth.throttleBind,
      changePassword: directoryPasswordChanges({
        ...{ db, principals, passwords, outbox, journal, timeZone },
        ...{ admits: operationLog.admits, throttleBind: auth.throttleBind },
        settle: (touched) => mirror.reconciler.settle(touched),
      }),
      rootPassword: secrets.directoryPassword,
      passwordKey: secrets.directoryDigestKey,
      adoptPassword: adoptedPasswords({ db, principals, passwords, operationLog, outbox, timeZone, log }),
    })
    atEnd(mirror.close)
    const background = openBackground(log)
    atEnd(background.drain)
    const tasks = openTasks({ database, log })
    const sync = await openSync({ database, mirror, alerting, outbox, auth, mobileKey, config, atEnd, log })
    const backups = openBackups({
      ...{ database, principals, timeZone, raise, tasks, log, seed },
      folder: config.backupDir,
      secrets: config.backupSecrets,
      unpackLimit: config.backupUnpackLimit,
    })
    background.run('clearing away what is left of backups', backups.tidy)
    const schedule = openSchedule({
      jobs: scheduledJobs({ db, config, audit, alerting, mirror, backups, sync, log }),
      ...{ db, log },
    })
    atEnd(schedule.stop)

    const live = await openLive({ database, tasks, principals, tokenTtl: config.tokenTtl, log })
    const verifications = openVerifications({ db, keys, tasks, background, raise })
    const signInProof = openSignInProof({ ...auth, db, reconciler: mirror.reconciler })
    const rooms = {
      ...{ db, config, log, redis, outbox, mail, background, keys, operationLog, backups, mobileKey, documents },
      ...{ ...auth, signInProof, ...sync, reconciler: mirror.reconciler, orphans: mirror.orphans },
      ...{ ...openPosture({ db, keys, operationLog, config }), live, tasks, verifications },
      ...{ verificationWork: (id: number) => live.progress.find('verification', id) },
      ...{ passwordTools: config.passwordTools, publicUrl: config.publicUrl, reportKey: secrets.reportKey },
    }
    const clock = now && { now }
    const app = await buildApp({
      ...{ config, log, redis, kept, journal, ...clock },
      authenticate: auth.callers.authenticate,
      tokens: auth.tokens,
      translateError: databaseGone,
      documents: servedDocuments({ ...rooms, ...clock }),
    })
    atEnd(
      () => app.close(),
      verifications.stop,
      live.close,
      () => {
        mirror.hurry()
        sync.runs.hurry()
      },
    )
    audit.start()
    mirror.reconciler.start()
    schedule.start()
    alerting.start()
    return { app, database, mirror, generatedPassword, close: end }
  } catch (error) {
    await end()
    throw error
  }
}

const databaseGone = (error: unknown): AppError | undefined =>
  isUnavailable(error) ? reasons.database_away({ cause: error }) : undefined
