import { alertOf } from '../alerts/alert.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import { cutOldEntries } from '../audit/cut.ts'
import type { Audit } from '../audit/open-audit.ts'
import { receiverOf } from '../audit/syslog/settings.ts'
import { sweep } from '../auth/sweep.ts'
import { backupJobs } from '../backups/backup-jobs.ts'
import type { Backups } from '../backups/backups.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import type { Job } from '../jobs/schedule.ts'
import { sweepTasks } from '../jobs/tasks.ts'
import { regularComparison } from '../mirror/comparison/regular-comparison.ts'
import { forgetRemovedAttributes } from '../mirror/entry/removed-attributes.ts'
import type { Mirror } from '../mirror/open-mirror.ts'
import { inspectionJob } from '../posture/inspection.ts'
import type { Logger } from '../runtime/log.ts'
import type { Sync } from '../sync/open-sync.ts'
import { sourceJobs } from '../sync/source-jobs.ts'

const hour = 3_600_000

export interface JobsOptions {
  db: Db
  config: Config
  audit: Pick<Audit, 'keys'>
  alerting: Pick<Alerting, 'alerts'>
  mirror: Pick<Mirror, 'reconciler'>
  backups: Backups
  sync: Pick<Sync, 'importer'>
  log: Logger
}

/** What the clock starts, on one instance at a time. */
export const scheduledJobs = (options: JobsOptions): Job[] => {
  const { db, config, audit, alerting, mirror, backups, sync, log } = options
  const { timeZone, schedules } = config
  const { keys } = audit
  const { raise } = alerting.alerts
  return [
    { name: 'drift', interval: config.driftInterval, run: regularComparison({ db, mirror, raise }) },
    {
      name: 'sweep',
      interval: hour,
      run: async (signal) => {
        await sweep(db, undefined, signal)
        await sweepTasks(db)
        await forgetRemovedAttributes(db)
        const report = (broken: Parameters<typeof alertOf<'logBroken'>>[1]) => raise(alertOf('logBroken', broken))
        const receiver = config.syslog && receiverOf(config.syslog)
        await cutOldEntries({ db, keys, retention: config.logRetention, receiver, signal, report })
      },
    },
    inspectionJob({ ...config, db, keys, raise }),
    ...backupJobs(backups, { cron: config.backupSchedule, timeZone }),
    ...sourceJobs({ db, importer: sync.importer, schedules, timeZone, log }),
  ]
}
