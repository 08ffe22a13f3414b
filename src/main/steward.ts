// The room main.
// Assembles the rooms: which handlers serve which tag of which document; the server, the start, the stop.
// It never contains a rule.

import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openAccess } from '../access/open-access.ts'
import { openAlerting } from '../alerts/open-alerting.ts'
import { openAudit } from '../audit/open-audit.ts'
import { receiverOf } from '../audit/syslog/settings.ts'
import { openAuth } from '../auth/open-auth.ts'
import { checkTokenSecret } from '../auth/token-secret.ts'
import { openBackups } from '../backups/open-backups.ts'
import { openBackground } from '../concurrency/background.ts'
import type { Config } from '../config/config.ts'
import { databaseOf } from '../config/database.ts'
import { memoryStore } from '../contract/cache/store.ts'
import { type Database, openDatabase } from '../db/client.ts'
import { followClock } from '../db/clock.ts'
import { isEndedByLimit, isUnavailable } from '../db/unavailable.ts'
import { openDevices } from '../devices/open-devices.ts'
import { openDiet } from '../diet/open-diet.ts'
import type { AppError } from '../failures/errors.ts'
import { reasons } from '../failures/reasons.ts'
import { documents } from '../generated/documents.ts'
import { openJobs } from '../jobs/open-jobs.ts'
import { openLive } from '../live/open-live.ts'
import { openMail } from '../mail/open-mail.ts'
import { openMetrics } from '../metrics/open-metrics.ts'
import { directoryLooks } from '../mirror/looks.ts'
import { type Mirror, openMirror } from '../mirror/open-mirror.ts'
import { freshPasswords } from '../mirror/passwords/fresh-passwords.ts'
import { otherHashesOf } from '../mirror/passwords/other-hashes.ts'
import { openPeople } from '../people/open-people.ts'
import { openPosture } from '../posture/open-posture.ts'
import { openRedis } from '../redis/open-redis.ts'
import { sharedStore } from '../redis/shared-store.ts'
import { openDrain } from '../runtime/drain.ts'
import { openLifetime } from '../runtime/lifetime.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { openServices } from '../services/open-services.ts'
import { openSync } from '../sync/open-sync.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { buildApp } from './app.ts'
import { seeding } from './bootstrap.ts'
import { scheduledJobs } from './jobs.ts'
import { servedDocuments } from './served-documents.ts'

export interface Steward {
  app: FastifyInstance
  database: Database
  mirror: Mirror
  /** The administrator's password, generated at the very first start and stored nowhere; otherwise null. */
  generatedPassword: string | null
  /** Where Prometheus finds the metrics; null: METRICS_PORT=off. */
  metricsUrl: string | null
  /** Says that it is not ready and serves on, for DRAIN_PERIOD; a second call ends that. */
  drain(): Promise<void>
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
  const clock = now && { now }
  const drain = openDrain(config.drainPeriod)
  const draining = drain.begun
  try {
    await openTracing({ settings: config.tracing, atEnd, log })
    const database = await open({ ...databaseOf(config), log })
    atEnd(database.close)
    atEnd(await followClock(database, log))
    const { db, reading } = database
    const secrets = loadSecrets(config.dataDir, config)
    const { redisUrl, sentinelPassword } = config
    const redis = await openRedis({ redisUrl, sentinelPassword, scope: secrets.redisScope, log })
    atEnd(() => redis?.close())
    const kept = redis === null ? memoryStore() : sharedStore(redis)
    const jobs = openJobs({ database, atEnd, log })
    const { tasks } = jobs
    const background = openBackground(log)
    const mail = openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, folder: join(config.dataDir, 'mail'), log })
    const alerting = openAlerting({ db, mail, config, atEnd, log })
    const { raise } = alerting.alerts
    await checkTokenSecret({ db, secrets, raise, log })
    const verificationWork = (id: number) => live.progress.find('verification', id)
    const audit = await openAudit({ database, alerting, tasks, background, verificationWork, config, atEnd, log })
    // Where Redis is away it is cleared before it is used again.
    const droppedAll = (): void => void kept.clear().catch(() => {})
    const access = await openAccess({ database, documents, config, droppedAll, atEnd })
    const directories = [config, ...config.furtherDirectories]
    const fresh = freshPasswords({
      wanted: directories.some(({ activeDirectory }) => activeDirectory !== null),
      db: database.kind === 'postgres' ? db : null,
    })
    atEnd(fresh.close)
    const otherHashes = otherHashesOf(config, secrets)
    const auth = openAuth({
      ...{ database, secrets, access, alerting, audit, mail, background, config, log, ...clock },
      mirror: () => mirror,
      ...{ fresh, otherHashes },
    })
    const seed = seeding({ db, passwords: auth.passwords, config, log })
    const { generatedPassword } = await seed()
    const mirror: Mirror = await openMirror({
      ...auth.forDirectory,
      fresh,
      otherHashes,
      config,
      database,
      secrets,
      log,
    })
    atEnd(mirror.close)
    const people = openPeople({ db, reading, access, auth, mirror, alerting, mail, background, documents, config })
    atEnd(background.drain)
    const sync = await openSync({ database, mirror, alerting, access, people, config, atEnd, log })
    const services = openServices({ db, auth, mirror })
    const devices = openDevices({ db, alerting, config })
    const backups = openBackups({
      ...{ database, principals: access.principals, raise, tasks, timeZone: config.timeZone, seed, log },
      ...{ folder: config.backupDir, secrets: config.backupSecrets, unpackLimit: config.backupUnpackLimit },
    })
    background.run('clearing away what is left of backups', backups.tidy)
    const schedule = jobs.schedule(scheduledJobs({ db, config, audit, alerting, mirror, backups, sync, log }))
    const posture = openPosture({ db, reading, audit, alerting, tasks, redis, draining, secrets, config, ...clock })
    const diet = openDiet({ db, config, ...clock })
    const live = await openLive({ database, tasks, access, config, log })
    const rooms = {
      access,
      alerting,
      audit,
      auth,
      backups,
      devices,
      diet,
      live,
      mirror,
      people,
      posture,
      services,
      sync,
    }
    const logWaiting = audit.operationLog.waiting
    const receiver = config.syslog && receiverOf(config.syslog)
    const metrics =
      config.metrics &&
      (await openMetrics({
        ...{ database, settings: config.metrics, receiver, logWaiting, directoryPools: mirror.pools, atEnd, log },
      }))
    const app = await buildApp({
      ...{ config, log, redis, kept, draining, journal: audit.journal, answered: metrics?.answered ?? null, ...clock },
      authenticate: auth.callers.authenticate,
      tokens: auth.tokens,
      translateError: databaseGone,
      documents: servedDocuments(rooms),
    })
    atEnd(
      () => app.close(),
      live.close,
      () => {
        for (const { beginStop } of [audit, mirror, sync]) beginStop()
      },
    )
    audit.start()
    mirror.reconciler.start()
    schedule.start()
    alerting.start([...devices.looks, ...directoryLooks({ db, alerting, mirror, log })])
    return { app, database, mirror, generatedPassword, metricsUrl: metrics?.url ?? null, drain: drain.pass, close: end }
  } catch (error) {
    await end()
    throw error
  }
}

const databaseGone = (error: unknown): AppError | undefined =>
  isUnavailable(error) || isEndedByLimit(error) ? reasons.database_away({ cause: error }) : undefined
