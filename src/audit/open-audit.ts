// The room audit.
// The operation log: entries chained by keyed hashes, the writer, the reader, the verification, the cut.
// It never stops, skips or alters an entry; what cannot be written is set aside, sealed, and told.

import type { Outbox } from '../alerts/notifications/outbox.ts'
import { raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Journal } from '../contract/journal.ts'
import type { Database } from '../db/client.ts'
import { openTicker } from '../jobs/ticker.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Logger } from '../log.ts'
import { type LogSecrets, logSecrets } from '../secrets.ts'
import { operationJournal } from './journal.ts'
import { type LogKeys, logKeys } from './keys.ts'
import { openLogWatch } from './log-watch.ts'
import { lookInterval, openPresence } from './presence.ts'
import { type OperationLog, openOperationLog } from './writer.ts'

export interface AuditOptions extends Pick<Lifetime, 'atEnd'> {
  database: Database
  outbox: Outbox
  config: LogSecrets & { dataDir: string }
  log: Logger
}

export interface Audit {
  keys: LogKeys
  operationLog: OperationLog
  journal: Journal
  start(): void
}

/**
 * Opens the operation log, tells of processes that ended without a stop, and gives signs of life of this one.
 * @throws ConfigError naming LOG_KEY
 */
export const openAudit = async ({ database, outbox, config, atEnd, log }: AuditOptions): Promise<Audit> => {
  const { db } = database
  const keys = logKeys(logSecrets(config.dataDir, config))
  const operationLog = openOperationLog({ db, keys, log })
  const presence = await openPresence({
    ...{ db, keys, dataDir: config.dataDir, alone: database.kind === 'embedded', log },
    raise: (tx, found) => raiseAlerts(tx, outbox, found),
  })
  atEnd(async () => presence.end(await operationLog.close()))
  const journal = operationJournal(operationLog)
  atEnd(async () => journal.settle())
  const signsOfLife = openTicker({
    every: lookInterval,
    what: 'processes that write the log',
    look: presence.look,
    log,
  })
  const watch = openLogWatch({ db, outbox, operationLog, log })
  atEnd(signsOfLife.stop, watch.stop)
  return {
    keys,
    operationLog,
    journal,
    start() {
      signsOfLife.start()
      watch.start()
    },
  }
}
