// The room sync.
// Runs: snapshot, plan, guard, apply; field relations, held plans, schedules.
// It never knows a platform, and never changes people without a permit.

import { committedChange } from '../access/committed.ts'
import type { Access } from '../access/open-access.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import { endSessions } from '../auth/sessions.ts'
import type { Database } from '../db/client.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import type { People } from '../people/open-people.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { mirrorPlace, openSources } from '../sources/open-sources.ts'
import type { SourcesConfig } from '../sources/settings.ts'
import { fieldRelationsHandlers } from './field-relation-handlers.ts'
import type { RemovalLimit } from './guard.ts'
import { openImporter } from './importer.ts'
import { closeAllRuns } from './lease.ts'
import type { Wins } from './plan.ts'
import { deadRunAlerts, endedRunAlerts } from './run-alerts.ts'
import { runsHandlers } from './run-handlers.ts'
import { groupRunStartHandlers, userRunStartHandlers } from './run-start-handlers.ts'
import { openRuns } from './runs.ts'
import { type ScheduleStatesOptions, scheduleStates } from './schedule-states.ts'
import { type SourcesOptions, sourcesHandlers } from './source-handlers.ts'

export interface SyncOptions extends Pick<Lifetime, 'atEnd'> {
  database: Database
  mirror: Mirror
  alerting: Pick<Alerting, 'outbox'>
  access: Pick<Access, 'principals'>
  people: Pick<People, 'mobileKey'>
  config: Pick<SourcesConfig, 'sources'> &
    SourcesOptions['config'] &
    ScheduleStatesOptions['config'] & {
      /** Milliseconds a request waits for its run. */
      syncWait: number
      syncMaxRemovals: RemovalLimit
      syncWins: Wins
    }
  log: Logger
}

export type Sync = Awaited<ReturnType<typeof openSync>>

/** Every organisation that is configured, and the runs that take people and departments over. */
export const openSync = async (options: SyncOptions) => {
  const { database, mirror, alerting, access, people, config, atEnd, log } = options
  const { db } = database
  const onDeadRuns = deadRunAlerts(alerting.outbox)
  // Only one process at a time has the embedded database: what runs there has lost its process.
  if (database.kind === 'embedded') await closeAllRuns(db, onDeadRuns)
  const onEndedRun = endedRunAlerts(alerting.outbox)
  const runs = openRuns({ db, timeout: config.syncWait, onDeadRuns, onEndedRun, log })
  const sources = openSources(config.sources, { log, mirror: mirrorPlace(db, mirror) })
  atEnd(sources.close, runs.close)
  const importer = openImporter({
    ...{ db, runs, sources: sources.bySlot, mobileKey: people.mobileKey },
    limit: config.syncMaxRemovals,
    wins: config.syncWins,
    mirrored: mirror.address !== null,
    change: committedChange({ db, principals: access.principals }),
    endSessions: (permit, userIds) => endSessions(permit, userIds, 'disabled'),
  })
  const { reconciler, layoutOf, directories } = mirror
  const shared = { db, runs, importer, reconciler, layoutOf, directories, sources: sources.bySlot, config }
  return {
    importer,
    handlers: {
      runs: runsHandlers(shared),
      sources: sourcesHandlers(shared),
      schedules: { listSchedules: () => scheduleStates(shared) },
      fieldRelations: fieldRelationsHandlers(shared),
      /** Of the tags of people and of departments. */
      ofUsers: userRunStartHandlers(shared),
      ofGroups: groupRunStartHandlers(shared),
    },
    /** Call it when the service begins to stop. */
    beginStop: runs.beginStop,
  }
}
