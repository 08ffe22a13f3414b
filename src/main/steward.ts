// The room main.
// Puts the rooms together: which handlers serve which tag of which document; the server, the start, the stop.
// It never holds a rule.

import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { apisHandlers } from '../access/apis.ts'
import { committedChange } from '../access/committed.ts'
import { menusHandlers } from '../access/menus.ts'
import { openPrincipals } from '../access/principals.ts'
import { rolesHandlers } from '../access/roles.ts'
import { alertOf } from '../alerts/alert.ts'
import { attemptAlerts } from '../alerts/attempt-alerts.ts'
import { countingBursts } from '../alerts/bursts.ts'
import { openOutbox, outboxOptions } from '../alerts/notifications/outbox.ts'
import { openAlerting } from '../alerts/open-alerting.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import { sessionAlerts } from '../alerts/session-alerts.ts'
import { cutOldEntries } from '../audit/cut.ts'
import { operationJournal } from '../audit/journal.ts'
import { logKeys } from '../audit/keys.ts'
import { operationLogsHandlers } from '../audit/log-handlers.ts'
import { openLogWatch } from '../audit/log-watch.ts'
import { lookInterval, openPresence } from '../audit/presence.ts'
import { openOperationLog } from '../audit/writer.ts'
import { baseHandlers } from '../auth/base.ts'
import { countedBinds } from '../auth/counted-binds.ts'
import { openMailCodes } from '../auth/mail-codes.ts'
import { openPasswords } from '../auth/passwords.ts'
import { factorNotices } from '../auth/second-factor/notices.ts'
import { openStepUpCodes } from '../auth/second-factor/step-up-codes.ts'
import { totpFactors } from '../auth/second-factor/totp-factors.ts'
import { endSessions } from '../auth/sessions.ts'
import { sweep } from '../auth/sweep.ts'
import { openThrottle } from '../auth/throttle.ts'
import { openTokens } from '../auth/tokens.ts'
import { transportCipher } from '../auth/transport-cipher.ts'
import { openBackground } from '../background.ts'
import { backupJobs } from '../backups/backup-jobs.ts'
import { openBackups } from '../backups/open-backups.ts'
import type { Config } from '../config/config.ts'
import { memoryStore } from '../contract/cache/store.ts'
import { mounted } from '../contract/mount.ts'
import { type Database, openDatabase } from '../db/client.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { markSilentDevices } from '../devices/silence.ts'
import { dietHandlers } from '../diet/handlers.ts'
import type { AppError } from '../errors.ts'
import { dietDocument } from '../generated/diet.ts'
import { directoryDocument } from '../generated/directory.ts'
import { documents } from '../generated/documents.ts'
import { operationsDocument } from '../generated/operations.ts'
import { securityDocument } from '../generated/security.ts'
import { openSchedule } from '../jobs/schedule.ts'
import { openTicker } from '../jobs/ticker.ts'
import { errorRecord } from '../log.ts'
import { openMail } from '../mail/mail.ts'
import { tellForeignPasswords } from '../mirror/foreign-passwords.ts'
import { tellLateWithdrawals } from '../mirror/late-withdrawals.ts'
import { type Mirror, openMirror } from '../mirror/mirror.ts'
import { adoptedPasswords } from '../people/adopted-passwords.ts'
import { groupsHandlers } from '../people/groups.ts'
import { refreshMobileKeys } from '../people/mobile-keys.ts'
import { usersHandlers } from '../people/users.ts'
import { openDashboard } from '../posture/dashboard.ts'
import { inspectionJob } from '../posture/inspection.ts'
import { reasons } from '../reasons.ts'
import { connectRedis } from '../redis/connect-redis.ts'
import { sharedStore } from '../redis/shared-store.ts'
import { loadSecrets, logSecrets } from '../secrets.ts'
import { mirrorPlace, openSources } from '../sources/open-sources.ts'
import { fieldRelationsHandlers } from '../sync/field-relations.ts'
import { closeAllRuns } from '../sync/lease.ts'
import { openSync } from '../sync/open-sync.ts'
import { alertingRuns, deadRunAlerts } from '../sync/run-alerts.ts'
import { openRuns } from '../sync/runs.ts'
import { sourceJobs } from '../sync/source-jobs.ts'
import { groupRuns, userRuns } from '../sync/takeover-handlers.ts'
import { mobileKeys } from '../text/identity-keys.ts'
import { buildApp } from './app.ts'
import { bootstrap } from './bootstrap.ts'
import { operationsHandlers } from './operations-handlers.ts'
import { securityHandlers } from './security-handlers.ts'

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
    const outbox = openOutbox(outboxOptions(config))
    const presence = await openPresence({
      ...{ db, keys: operationLogKeys, dataDir: config.dataDir, alone: database.kind === 'embedded', log },
      raise: (tx, found) => raiseAlerts(tx, outbox, found),
    })
    closers.push(async () => presence.end(await operationLog.close()))
    const journal = operationJournal(operationLog)
    closers.push(async () => journal.settle())
    const signsOfLife = openTicker({
      every: lookInterval,
      what: 'processes that write the log',
      look: presence.look,
      log,
    })
    const logWatch = openLogWatch({ db, outbox, operationLog, log })
    closers.push(signsOfLife.stop, logWatch.stop)

    const cipher = transportCipher(secrets.transportKey)
    const passwords = openPasswords({ cipher, scheme: config.passwordScheme, words: config.passwordWords })
    const mobileKey = mobileKeys(config.defaultRegion)
    const seed = async () => {
      await refreshMobileKeys({ db, region: config.defaultRegion, log })
      return bootstrap({ db, documents, passwords, adminPassword: config.adminPassword, connectors: config.connectors })
    }
    const { generatedPassword } = await seed()

    const mail = openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'mail'), log })
    const { alerts, watch, deliverer } = openAlerting({
      ...{ db, outbox, mail, config, log },
      looks: [
        () => markSilentDevices({ db, outbox, timeout: config.deviceTimeout }),
        ...(config.ldap === null
          ? []
          : [tellLateWithdrawals, tellForeignPasswords].map((tell) => () => tell({ db, outbox, log }))),
      ],
    })
    // Letting go of mails under way is what ends their deliveries; nothing new is taken before that.
    closers.push(deliverer.drain, mail.close, deliverer.stop, watch.stop, alerts.close)
    const report = attemptAlerts({ db, alerts })
    const watchedJournal = countingBursts(journal, { raise: alerts.raise })

    const tokens = await openTokens({ secret: secrets.jwt, ttl: config.tokenTtl })
    const kept = redis === null ? memoryStore() : sharedStore(redis)
    // Where Redis is away it is cleared before it is used again.
    const principals = openPrincipals({ database, tokens, droppedAll: () => void kept.clear().catch(() => {}) })
    closers.push(await principals.listen())

    const mirror = await openMirror({
      ...{ config, database, log },
      guard: countedBinds({
        throttle: openThrottle({ db, report }),
        journal: watchedJournal,
        admits: operationLog.admits,
      }),
      rootPassword: secrets.directoryPassword,
      passwordKey: secrets.directoryDigestKey,
      adoptPassword: adoptedPasswords({
        db,
        principals,
        passwords,
        operationLog,
        outbox,
        timeZone: config.timeZone,
        log,
      }),
    })
    closers.push(mirror.close)
    const { reconciler } = mirror

    const background = openBackground(log)
    closers.push(background.drain)
    const tellDead = deadRunAlerts(outbox)
    if (database.kind === 'embedded') await closeAllRuns(db, tellDead)
    const runs = alertingRuns({ db, runs: openRuns({ db, patience: config.syncWait, tellDead, log }), alerts })
    const sources = openSources(config.sources, { log, mirror: mirrorPlace(db, mirror) })
    closers.push(sources.close, runs.close)

    const backups = openBackups({
      ...{ database, principals, timeZone: config.timeZone, raise: alerts.raise, log, seed },
      folder: config.backupDir,
      secrets: config.backupSecrets,
      unpackLimit: config.backupUnpackLimit,
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
      endSessions: (permit, userIds) => endSessions(permit, userIds, 'disabled'),
      mobileKey,
    })

    const schedule = openSchedule({
      db,
      log,
      jobs: [
        { name: 'drift', interval: config.driftInterval, run: reconciler.compareEverything },
        {
          name: 'sweep',
          interval: hour,
          run: async (signal) => {
            await sweep(db)
            await cutOldEntries({
              ...{ db, keys: operationLogKeys, retention: config.logRetention, signal },
              report: (broken) => alerts.raise(alertOf('logBroken', broken)),
            })
          },
        },
        inspectionJob({ ...config, db, keys: operationLogKeys, raise: alerts.raise }),
        ...backupJobs(backups, { cron: config.backupSchedule, timeZone: config.timeZone }),
        ...sourceJobs({ db, sync, schedules: config.schedules, timeZone: config.timeZone, log }),
      ],
    })
    closers.push(schedule.stop)

    const throttle = openThrottle({ db, report })
    const mailCodes = openMailCodes({ db, key: secrets.mailCodeKey })
    const shared = {
      db,
      mobileKey,
      redis,
      operationLog,
      backups,
      reconciler,
      principals,
      passwords,
      throttle,
      runs,
      sync,
      log,
      sessionMax: config.sessionMax,
    }
    const app = await buildApp({
      config,
      log,
      authenticate: principals.authenticate,
      translateError: databaseGone,
      redis,
      kept,
      ...(now && { now }),
      journal: watchedJournal,
      documents: [
        mounted(directoryDocument, {
          base: baseHandlers({
            ...shared,
            dashboard: openDashboard(db),
            tokens,
            sessionAlerts: sessionAlerts({ db, alerts }),
            cipher,
            mailCodes,
            mail,
            background,
            passwordTools: config.passwordTools,
          }),
          users: { ...usersHandlers(shared), ...userRuns(shared) },
          groups: { ...groupsHandlers(shared), ...groupRuns(shared) },
          roles: rolesHandlers(shared),
          menus: menusHandlers(shared),
          apis: apisHandlers({ ...shared, documents }),
          fieldRelations: fieldRelationsHandlers(shared),
          operationLogs: operationLogsHandlers({ ...shared, keys: operationLogKeys }),
        }),
        mounted(
          operationsDocument,
          operationsHandlers({
            ...shared,
            sources: sources.bySlot,
            orphans: mirror.orphans,
            config,
            mail,
            background,
            outbox,
            totp: totpFactors(secrets.factorKey, secrets.previousFactorKeys),
            noticeFactor: factorNotices({ outbox, timeZone: config.timeZone }),
            stepUpCodes: openStepUpCodes({ db, key: secrets.stepUpCodeKey }),
            reportKey: secrets.reportKey,
          }),
        ),
        mounted(
          securityDocument,
          securityHandlers({ ...shared, outbox, keys: operationLogKeys, reportKey: secrets.reportKey, config }),
        ),
        mounted(dietDocument, dietHandlers({ ...config, db, ...(now && { now }) })),
      ],
    })
    closers.push(() => app.close())
    closers.push(async () => {
      mirror.hurry()
      runs.hurry()
    })
    signsOfLife.start()
    logWatch.start()
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
  isUnavailable(error) ? reasons.database_away({ cause: error }) : undefined
