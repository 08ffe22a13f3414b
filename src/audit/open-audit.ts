// The room audit.
// The operation log: entries chained by keyed hashes, the writer, the reader, the verification, the cut.
// It never stops, skips or alters an entry; what cannot be written is set aside, sealed, and told.

import { countingBursts } from '../alerts/bursts.ts'
import type { Alerting } from '../alerts/open-alerting.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Background } from '../concurrency/background.ts'
import type { Database } from '../db/client.ts'
import type { Tasks } from '../jobs/tasks.ts'
import { openTicker } from '../jobs/ticker.ts'
import type { Lifetime } from '../runtime/lifetime.ts'
import type { Logger } from '../runtime/log.ts'
import { type LogSecrets, logSecrets } from '../secrets/secrets.ts'
import { operationJournal } from './journal.ts'
import { logKeys } from './keys.ts'
import { type OperationLogSearchOptions, operationLogSearchHandlers } from './log-search-handlers.ts'
import { openLogWatch } from './log-watch.ts'
import { operationLogsHandlers } from './operation-log-handlers.ts'
import { openPresence, pollInterval } from './presence.ts'
import type { SyslogSettings } from './syslog/settings.ts'
import { openLogStream } from './syslog/stream.ts'
import { openVerifications } from './verification.ts'
import { openOperationLog } from './writer.ts'

export interface AuditOptions extends Pick<Lifetime, 'atEnd'>, Pick<OperationLogSearchOptions, 'verificationWork'> {
  database: Database
  alerting: Pick<Alerting, 'alerts' | 'outbox'>
  tasks: Pick<Tasks, 'begin'>
  background: Background
  config: LogSecrets & { dataDir: string; syslog: SyslogSettings | null }
  log: Logger
}

export type Audit = Awaited<ReturnType<typeof openAudit>>

/**
 * Opens the operation log, tells of processes that ended without a stop, and gives signs of life of this one.
 * @throws ConfigError naming LOG_KEY
 */
export const openAudit = async (options: AuditOptions) => {
  const { database, alerting, tasks, background, verificationWork, config, atEnd, log } = options
  const { db, reading } = database
  const { outbox } = alerting
  const { raise } = alerting.alerts
  const keys = logKeys(logSecrets(config.dataDir, config))
  const operationLog = openOperationLog({ db, keys, log })
  const presence = await openPresence({
    ...{ db, keys, dataDir: config.dataDir, alone: database.kind === 'embedded', log },
    raise: (tx, found) => raiseAlerts(tx, outbox, found),
  })
  atEnd(async () => presence.end(await operationLog.close()))
  const requests = operationJournal(operationLog)
  const journal = countingBursts(requests, { raise })
  atEnd(async () => requests.settle())
  const signsOfLife = openTicker({
    every: pollInterval,
    what: 'processes that write the log',
    look: presence.look,
    log,
  })
  const watch = openLogWatch({ db, outbox, operationLog, log })
  atEnd(signsOfLife.stop, watch.stop)
  const stream = config.syslog && openLogStream({ db, outbox, settings: config.syslog, log })
  atEnd(async () => stream?.stop())
  const verifications = openVerifications({ db, keys, tasks, background, raise })
  return {
    keys,
    operationLog,
    /** Records requests, and raises alerts about bursts of refusals. */
    journal,
    handlers: {
      operationLogs: operationLogsHandlers({ db, reading, keys, operationLog }),
      search: operationLogSearchHandlers({ db, reading, operationLog, verifications, verificationWork }),
    },
    /** Call it when the service begins to stop: a verification ends. */
    beginStop: verifications.stop,
    start() {
      signsOfLife.start()
      watch.start()
      stream?.start()
    },
  }
}
