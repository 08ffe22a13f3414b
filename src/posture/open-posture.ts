// The room posture.
// The security of the installation: evidence, deductions, score, check, report, health.
// It never repairs anything.

import type { Alerting } from '../alerts/open-alerting.ts'
import type { Audit } from '../audit/open-audit.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import type { Reading } from '../db/replica.ts'
import type { Tasks } from '../jobs/tasks.ts'
import type { Redis } from '../redis/connection.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { openDashboard } from './dashboard.ts'
import { emergenciesHandlers } from './emergency-handlers.ts'
import { gatherFacts } from './evidence/gather.ts'
import { settingsOf } from './evidence/settings.ts'
import { healthHandlers } from './health-handlers.ts'
import { overviewHandlers } from './overview-handlers.ts'
import { reportsHandlers } from './report-handlers.ts'
import { reportPagesHandlers } from './report-page-handlers.ts'
import { statusHandlers } from './status-handlers.ts'

export interface PostureOptions {
  db: Db
  /** Of figures and evidence. */
  reading: Reading
  audit: Pick<Audit, 'keys' | 'operationLog'>
  alerting: Pick<Alerting, 'outbox'>
  tasks: Pick<Tasks, 'carryOut'>
  redis: Pick<Redis, 'answers'> | null
  /** Whether the instance is about to stop. */
  draining: () => boolean
  secrets: Pick<Secrets, 'reportKey'>
  config: Config
  /** Milliseconds since 1970; default: the host's clock. */
  now?: () => number
}

export type Posture = ReturnType<typeof openPosture>

/** What can be asked about the security of the installation. It runs nothing by itself. */
export const openPosture = (options: PostureOptions) => {
  const { db, reading, audit, alerting, tasks, redis, draining, secrets, config, now } = options
  const { keys, operationLog } = audit
  const { reportKey } = secrets
  const { timeZone, deviceTimeout } = config
  const settings = settingsOf(config)
  const gather = () => gatherFacts({ db, reading, keys, operationLog, settings, deviceTimeout })
  return {
    /** The number of records of each kind. */
    dashboard: openDashboard(reading),
    handlers: {
      health: healthHandlers({ db, operationLog, redis, draining }),
      overview: overviewHandlers({ db, reading, config, gather }),
      reportPages: reportPagesHandlers({ db, reportKey, ...(now && { now }) }),
      status: statusHandlers({ db, gather, timeZone, tasks }),
      emergencies: emergenciesHandlers({ db, outbox: alerting.outbox, timeZone }),
      reports: reportsHandlers({ db, reading, gather, reportKey, config }),
    },
  }
}
