import { committedChange } from '../../access/committed.ts'
import { openPrincipals } from '../../access/principals.ts'
import { openOutbox, outboxOptions } from '../../alerts/notifications/outbox.ts'
import { endSessions } from '../../auth/sessions.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/client.ts'
import { followClock } from '../../db/clock.ts'
import { FolderInUseError } from '../../db/embedded/folder-in-use.ts'
import { resultCodes } from '../../ldap/result-code.ts'
import type { BindThrottle } from '../../ldap-server/authentication/bind-throttle.ts'
import { LdapError } from '../../ldap-server/result.ts'
import { type Mirror, openMirror } from '../../mirror/open-mirror.ts'
import { otherHashesOf } from '../../mirror/passwords/other-hashes.ts'
import { isInstalled } from '../../people/installed.ts'
import { refreshMobileKeys } from '../../people/mobile-keys.ts'
import { openLifetime } from '../../runtime/lifetime.ts'
import type { Logger } from '../../runtime/log.ts'
import { loadSecrets } from '../../secrets/secrets.ts'
import { mirrorPlace, openSources } from '../../sources/open-sources.ts'
import { type Importer, openImporter } from '../../sync/importer.ts'
import { closeAllRuns } from '../../sync/lease.ts'
import { deadRunAlerts } from '../../sync/run-alerts.ts'
import { openRuns } from '../../sync/runs.ts'
import { mobileKeys } from '../../text/identity-keys.ts'
import { neverStarted, openUnlessServed, requireDatabase } from '../existing-database.ts'

const serviceAdvice = 'press the sync operation in its /docs, or stop it first'

/** An instance that only carries out runs. */
export interface Instance {
  db: Database['db']
  importer: Importer
  /** Ends the runs in progress here. */
  stopRuns: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens what a run needs on the database and the directory of the installation. If a running service has the embedded
 * directory open, that service updates the entries.
 * @throws ConfigError when the database does not exist yet, or a running service has it open
 */
export const openInstance = async (config: Config, log: Logger): Promise<Instance> => {
  const { atEnd, end: close } = openLifetime(log)
  try {
    const database = await openUsedDatabase(config, log)
    atEnd(database.close)
    atEnd(await followClock(database, log))
    const { db } = database
    await refreshMobileKeys({ db, region: config.defaultRegion, log })
    const secrets = loadSecrets(config.dataDir, config)
    const principals = openPrincipals({ database, secondFactor: config.secondFactor })

    const mirror = await openFreeMirror({
      ...{ config, database, secrets, log, throttleBind: noBinds, changePassword: null, adoptPassword: null },
      personBound: null,
      otherHashes: otherHashesOf(config, secrets),
    })
    if (mirror !== null) atEnd(mirror.close)
    const onDeadRuns = deadRunAlerts(openOutbox(outboxOptions(config)))
    if (database.kind === 'embedded') await closeAllRuns(db, onDeadRuns)
    const runs = openRuns({ db, timeout: 0, onDeadRuns, log })
    const sources = openSources(config.sources, { log, mirror: mirror && mirrorPlace(db, mirror) })
    atEnd(sources.close, runs.close, async () => mirror?.beginStop())

    const importer = openImporter({
      db,
      runs,
      sources: sources.bySlot,
      limit: config.syncMaxRemovals,
      wins: config.syncWins,
      mirrored: config.ldap !== null,
      change: committedChange({ db, principals }),
      endSessions: (permit, userIds) => endSessions(permit, userIds, 'disabled'),
      mobileKey: mobileKeys(config.defaultRegion),
    })
    mirror?.reconciler.start()
    return { db, importer, stopRuns: runs.close, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The principal exists for the run alone, and has no operation log for refusals. */
const noBinds: BindThrottle = () =>
  Promise.reject(new LdapError(resultCodes.unavailable, 'the directory is open for a sync only: start the service'))

/** A database on which the service has started before, which created the administrator and the field relations. */
const openUsedDatabase = async (config: Config, log: Logger): Promise<Database> => {
  requireDatabase(config)
  const database = await openUnlessServed(config, serviceAdvice, { log })
  if (await isInstalled(database.db)) return database
  await database.close()
  throw neverStarted(config)
}

/** null: the embedded directory is open in another process, which has its port as well. */
const openFreeMirror = async (options: Parameters<typeof openMirror>[0]): Promise<Mirror | null> => {
  const { ldap } = options.config
  if (ldap?.kind !== 'embedded') return openMirror(options)
  const config = { ...options.config, ldap: { ...ldap, host: '127.0.0.1', port: 0, ldapsPort: null, tls: null } }
  return openMirror({ ...options, config }).catch((error: unknown) => {
    if (error instanceof FolderInUseError) return null
    throw error
  })
}
