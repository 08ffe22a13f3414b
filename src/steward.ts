import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { memoryStore } from './contract/kept/store.ts'
import { mounted } from './contract/mount.ts'
import { type Database, openDatabase } from './db/client.ts'
import { isUnavailable } from './db/unavailable.ts'
import { dietHandlers } from './diet/handlers.ts'
import { apisHandlers } from './directory/apis.ts'
import { openBackground } from './directory/background.ts'
import { baseHandlers } from './directory/base.ts'
import { bootstrap } from './directory/bootstrap.ts'
import { committedChange } from './directory/committed.ts'
import { fieldRelationsHandlers } from './directory/field-relations.ts'
import { groupsHandlers } from './directory/groups.ts'
import { openMailCodes } from './directory/mail-codes.ts'
import { menusHandlers } from './directory/menus.ts'
import { operationLogsHandlers } from './directory/operation-log/handlers.ts'
import { operationJournal } from './directory/operation-log/journal.ts'
import { logKeys } from './directory/operation-log/keys.ts'
import { openOperationLog } from './directory/operation-log/writer.ts'
import { openPasswords } from './directory/passwords.ts'
import { openPrincipals } from './directory/principals.ts'
import { rolesHandlers } from './directory/roles.ts'
import { loadSecrets, logSecrets } from './directory/secrets.ts'
import { endSessions } from './directory/sessions.ts'
import { sweep } from './directory/sweep.ts'
import { openThrottle } from './directory/throttle.ts'
import { openTokens } from './directory/tokens.ts'
import { transportCipher } from './directory/transport-cipher.ts'
import { usersHandlers } from './directory/users.ts'
import { AppError } from './errors.ts'
import { dietDocument } from './generated/diet.ts'
import { directoryDocument } from './generated/directory.ts'
import { documents } from './generated/documents.ts'
import { operationsDocument } from './generated/operations.ts'
import { securityDocument } from './generated/security.ts'
import { openSchedule } from './jobs/schedule.ts'
import { sourceJobs } from './jobs/source-jobs.ts'
import { type Mirror, openMirror } from './ldap/mirror.ts'
import { errorRecord } from './log.ts'
import { openMail } from './mail/mail.ts'
import { operationsHandlers } from './operations/handlers.ts'
import { connectRedis } from './redis/connect-redis.ts'
import { sharedStore } from './redis/shared-store.ts'
import { attemptAlarm } from './security/alerts/attempt-alarm.ts'
import { countingBursts } from './security/alerts/bursts.ts'
import { inspectionJob } from './security/alerts/inspection.ts'
import { openAlerting } from './security/alerts/open-alerting.ts'
import { sessionAlarms } from './security/alerts/session-alarms.ts'
import { backupJobs } from './security/backups/backup-jobs.ts'
import { openBackups } from './security/backups/open-backups.ts'
import { securityHandlers } from './security/handlers.ts'
import { factorNotices } from './security/second-factor/notices.ts'
import { openStepUpCodes } from './security/second-factor/step-up-codes.ts'
import { totpFactors } from './security/second-factor/totp-factors.ts'
import { openSources } from './sources/open-sources.ts'
import { alarmedRuns, deadRunAlarms } from './sync/alarmed-runs.ts'
import { closeAllRuns } from './sync/lease.ts'
import { openSync } from './sync/open-sync.ts'
import { openRuns } from './sync/runs.ts'

export interface Steward {
  app: FastifyInstance
  database: Database
  mirror: Mirror
  /** The administrator's password, made up at the very first start and kept nowhere; otherwise null. */
  generatedPassword: string | null
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>
}

const hour = 3_600_000

export interface StewardOptions {
  config: Config
  log: FastifyBaseLogger
  /** Opens the database; unless told, the one the configuration names. */
  open?: typeof openDatabase
  /** Milliseconds since 1970, for what goes by the day; unless told, the host's clock. */
  now?: () => number
}

/** Opens everything the configuration asks for and puts the service together. It does not listen yet. */
export const openSteward = async ({ config, log, open = openDatabase, now }: StewardOptions): Promise<Steward> => {
  const closers: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) {
      await each().catch((error: unknown) => log.error({ error: errorRecord(error) }, 'stopping left something undone'))
    }
  }
  try {
    const redis = await connectRedis({ redisUrl: config.redisUrl, log })
    if (redis) closers.push(redis.close)
    const database = await open({ url: config.databaseUrl, dataDir: config.dataDir, log })
    closers.push(database.close)
    const { db } = database
    const secrets = loadSecrets(config.dataDir, config)
    const operationLogKeys = logKeys(logSecrets(config.dataDir, config))
    const operationLog = openOperationLog({ db, keys: operationLogKeys, log })
    closers.push(operationLog.close)

    const cipher = transportCipher(secrets.transportKey)
    const passwords = openPasswords({ cipher, scheme: config.passwordScheme })
    const seed = () =>
      bootstrap({ db, documents, passwords, adminPassword: config.adminPassword, connectors: config.connectors })
    const { generatedPassword } = await seed()

    const mirror = await openMirror({ config, database, rootPassword: secrets.directoryPassword, log })
    closers.push(mirror.close)
    const { reconciler } = mirror

    const tokens = await openTokens({ secret: secrets.jwt, ttl: config.tokenTtl })
    const kept = redis === null ? memoryStore() : sharedStore(redis)
    // Where Redis is away it is cleared before it is used again.
    const principals = openPrincipals({ database, tokens, droppedAll: () => void kept.clear().catch(() => {}) })
    closers.push(await principals.listen())

    const mail = openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'mail'), log })
    const { outbox, alarms, watch, deliverer } = openAlerting({ db, mail, config, log })
    // Letting go of mails under way is what ends their deliveries; nothing new is taken before that.
    closers.push(deliverer.drain, mail.close, deliverer.stop, watch.stop, alarms.close)
    const background = openBackground(log)
    closers.push(background.drain)
    const tellDead = deadRunAlarms(outbox)
    if (database.kind === 'embedded') await closeAllRuns(db, tellDead)
    const runs = alarmedRuns({ db, runs: openRuns({ db, patience: config.syncWait, tellDead, log }), alarms })
    const sources = openSources(config.sources, { log, mirror: mirror.address })
    closers.push(sources.close, runs.close)

    const backups = openBackups({
      ...{ database, principals, timeZone: config.timeZone, alarm: alarms.raise, log, seed },
      folder: config.backupDir,
      secrets: config.backupSecrets,
    })
    background.run('clearing away what is left of backups', backups.tidy)

    const sync = openSync({
      db,
      runs,
      sources: sources.bySlot,
      limit: config.syncMaxRemovals,
      wins: config.syncWins,
      mirrored: mirror.address !== null,
      change: committedChange({ db, principals }),
      endSessions: (tx, userIds) => endSessions(tx, userIds, 'disabled'),
    })

    const schedule = openSchedule({
      db,
      log,
      jobs: [
        { name: 'drift', interval: config.driftInterval, run: reconciler.compareEverything },
        { name: 'sweep', interval: hour, run: () => sweep(db) },
        inspectionJob({ ...config, db, keys: operationLogKeys, alarm: alarms.raise }),
        ...backupJobs(backups, { cron: config.backupSchedule, timeZone: config.timeZone }),
        ...sourceJobs({ db, sync, schedules: config.schedules, timeZone: config.timeZone, log }),
      ],
    })
    closers.push(schedule.stop)

    const throttle = openThrottle({ db, report: attemptAlarm({ db, alarms }) })
    const mailCodes = openMailCodes({ db, key: secrets.mailCodeKey })
    const shared = { db, redis, backups, reconciler, principals, passwords, throttle, runs, sync, log }
    const app = await buildApp({
      config,
      log,
      authenticate: principals.authenticate,
      translateError: databaseGone,
      redis,
      kept,
      ...(now && { now }),
      journal: countingBursts(operationJournal(operationLog), { alarm: alarms.raise }),
      documents: [
        mounted(directoryDocument, {
          base: baseHandlers({
            ...shared,
            tokens,
            sessionAlarms: sessionAlarms({ db, alarms }),
            cipher,
            mailCodes,
            mail,
            background,
            passwordTools: config.passwordTools,
          }),
          users: usersHandlers(shared),
          groups: groupsHandlers(shared),
          roles: rolesHandlers(shared),
          menus: menusHandlers(shared),
          apis: apisHandlers({ ...shared, documents }),
          fieldRelations: fieldRelationsHandlers(shared),
          operationLogs: operationLogsHandlers({ db, keys: operationLogKeys, operationLog }),
        }),
        mounted(
          operationsDocument,
          operationsHandlers({
            ...shared,
            sources: sources.bySlot,
            config,
            mail,
            background,
            outbox,
            totp: totpFactors(secrets.factorKey),
            noticeFactor: factorNotices({ outbox, timeZone: config.timeZone }),
            stepUpCodes: openStepUpCodes({ db, key: secrets.stepUpCodeKey }),
            reportKey: secrets.reportKey,
          }),
        ),
        mounted(
          securityDocument,
          securityHandlers({ db, backups, outbox, keys: operationLogKeys, reportKey: secrets.reportKey, config }),
        ),
        mounted(dietDocument, dietHandlers({ ...config, db, ...(now && { now }) })),
      ],
    })
    closers.push(() => app.close())
    closers.push(async () => {
      mirror.hurry()
      runs.hurry()
    })
    reconciler.start()
    schedule.start()
    watch.start()
    deliverer.start()
    return { app, database, mirror, generatedPassword, close }
  } catch (error) {
    await close()
    throw error
  }
}

const databaseGone = (error: unknown): AppError | undefined =>
  isUnavailable(error) ? new AppError('unavailable', 'the database is not available', { cause: error }) : undefined
