// The room sync.
// Runs: snapshot, plan, guard, apply; field relations, held plans, schedules.
// It never knows a platform, and never changes people without a permit.

import { committedChange } from '../access/committed.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import type { Auth } from '../auth/open-auth.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Database } from '../db/client.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Logger } from '../log.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { mirrorPlace, type OpenSources, openSources } from '../sources/open-sources.ts'
import type { SourcesConfig } from '../sources/settings.ts'
import type { MobileKey } from '../text/identity-keys.ts'
import type { RemovalLimit } from './guard.ts'
import { type Importer, openImporter } from './importer.ts'
import { closeAllRuns } from './lease.ts'
import type { Wins } from './plan.ts'
import { alertingRuns, deadRunAlerts } from './run-alerts.ts'
import { openRuns, type Runs } from './runs.ts'

export interface SyncOptions extends Pick<Lifetime, 'atEnd'> {
  database: Database
  mirror: Mirror
  alerting: Pick<Alerting, 'alerts'>
  outbox: Outbox
  auth: Pick<Auth, 'principals'>
  mobileKey: MobileKey
  config: Pick<SourcesConfig, 'sources'> & {
    /** Milliseconds a request waits for its run. */
    syncWait: number
    syncMaxRemovals: RemovalLimit
    syncWins: Wins
  }
  log: Logger
}

export interface Sync {
  runs: Runs
  sources: OpenSources['bySlot']
  importer: Importer
}

/** Every organisation that is configured, and the runs that take people and departments over. */
export const openSync = async (options: SyncOptions): Promise<Sync> => {
  const { database, mirror, alerting, outbox, auth, mobileKey, config, atEnd, log } = options
  const { db } = database
  const tellDead = deadRunAlerts(outbox)
  // Only one process at a time has the embedded database: what runs there has lost its process.
  if (database.kind === 'embedded') await closeAllRuns(db, tellDead)
  const runs = alertingRuns({
    db,
    runs: openRuns({ db, patience: config.syncWait, tellDead, log }),
    alerts: alerting.alerts,
  })
  const sources = openSources(config.sources, { log, mirror: mirrorPlace(db, mirror) })
  atEnd(sources.close, runs.close)
  const importer = openImporter({
    ...{ db, runs, mobileKey },
    sources: sources.bySlot,
    limit: config.syncMaxRemovals,
    wins: config.syncWins,
    mirrored: mirror.address !== null,
    change: committedChange({ db, principals: auth.principals }),
    endSessions: (permit, userIds) => endSessions(permit, userIds, 'disabled'),
  })
  return { runs, sources: sources.bySlot, importer }
}
