import { type Alert, alertOf } from '../alerts/alert.ts'
import type { Outbox } from '../alerts/notifications/outbox.ts'
import { closeAlert, raiseAlerts } from '../alerts/raise-alerts.ts'
import type { Db } from '../db/client.ts'
import { openTicker, type Ticker } from '../jobs/ticker.ts'
import type { Logger } from '../runtime/log.ts'
import type { OperationLog } from './writer.ts'

/** Milliseconds between checks; an alert is raised this long after entries are stuck. */
const pollInterval = 1000
/** Milliseconds after which an instance whose entries are stuck raises the alert again. */
const repeatAfter = 20_000
/** Seconds after which other instances close the alert of an instance that is gone. */
const forgottenAfter = 60

export interface LogWatchOptions {
  db: Db
  outbox: Outbox
  operationLog: Pick<OperationLog, 'stuck' | 'alerts'>
  log: Logger
}

/**
 * Raises an alert while entries cannot be written, if the alert itself can be, and closes it when they are written
 * again. It also raises what the log found out about itself. While the database is unreachable no alert can be raised:
 * readiness fails then.
 */
export const openLogWatch = ({ db, outbox, operationLog, log }: LogWatchOptions): Ticker => {
  /** The newest alert of each cause: the list does not grow while the database is unreachable. */
  let unraised = new Map<string, Alert>()
  let raisedAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  let tidiedAt = Number.NEGATIVE_INFINITY

  const raise = (alerts: readonly Alert[]): Promise<unknown> => db.transaction((tx) => raiseAlerts(tx, outbox, alerts))

  const look = async (): Promise<void> => {
    for (const alert of operationLog.alerts()) unraised.set(alert.cause, alert)
    const stuck = operationLog.stuck()
    const at = performance.now()
    if (stuck !== null && (!isOpen || at - raisedAt > repeatAfter)) {
      await raise([alertOf('logStuck', stuck)])
      isOpen = true
      raisedAt = at
    }
    if (stuck === null && (isOpen || at - tidiedAt > forgottenAfter * 1000)) {
      await closeAlert(db, 'logStuck', {}, isOpen ? {} : { silentFor: forgottenAfter })
      isOpen = false
      tidiedAt = at
    }
    if (unraised.size > 0) {
      await raise([...unraised.values()])
      unraised = new Map()
    }
  }

  return openTicker({ every: pollInterval, what: 'the operation log', look, log })
}
