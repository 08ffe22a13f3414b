import { sql } from 'drizzle-orm'
import type { OperationLog, Trouble } from '../audit/writer.ts'
import type { Db } from '../db/client.ts'
import { openTicker, type Ticker } from '../jobs/ticker.ts'
import type { Logger } from '../log.ts'
import type { Outbox } from './notifications/outbox.ts'
import { raiseAlerts } from './raise-alerts.ts'

const cause = 'operation log stuck'
/** Milliseconds between looks; the alert is there this long after entries are stuck. */
const lookInterval = 1000
/** Milliseconds after which an instance whose entries are stuck says so again. */
const repeatAfter = 20_000
/** Seconds after which the alert of an instance that is gone is closed by the others. */
const forgottenAfter = 60

export interface LogWatchOptions {
  db: Db
  outbox: Outbox
  operationLog: Pick<OperationLog, 'stuck' | 'troubles'>
  log: Logger
}

/**
 * Raises an alert while entries cannot be written, for as long as the alert itself can be, and closes it when they are
 * written again; and raises what the log found out about itself. In a database that is away nothing can be raised:
 * readiness says it then.
 */
export const openLogWatch = ({ db, outbox, operationLog, log }: LogWatchOptions): Ticker => {
  let untold: Trouble[] = []
  let raisedAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  let tidiedAt = Number.NEGATIVE_INFINITY

  const look = async (): Promise<void> => {
    untold = latest([...untold, ...operationLog.troubles()])
    const stuck = operationLog.stuck()
    const at = performance.now()
    if (stuck !== null && (!isOpen || at - raisedAt > repeatAfter)) {
      const description = `${stuck.waiting} entries wait since ${stuck.since.toISOString()}. Until they are written, requests that change something are refused`
      const title = 'The operation log cannot be written'
      await db.transaction((tx) => raiseAlerts(tx, outbox, [{ cause, title, description, level: 'danger' }]))
      isOpen = true
      raisedAt = at
    }
    if (stuck === null && (isOpen || at - tidiedAt > forgottenAfter * 1000)) {
      await close(db, isOpen ? 0 : forgottenAfter)
      isOpen = false
      tidiedAt = at
    }
    if (untold.length > 0) {
      await db.transaction((tx) => raiseAlerts(tx, outbox, untold))
      untold = []
    }
  }

  return openTicker({ every: lookInterval, what: 'the operation log', look, log })
}

/** Of each cause the newest: a statement may raise it once, and what waits for the database does not grow. */
const latest = (troubles: readonly Trouble[]): Trouble[] => [
  ...new Map(troubles.map((trouble) => [trouble.cause, trouble])).values(),
]

const close = (db: Db, silentFor: number): Promise<unknown> =>
  db.execute(sql`
    update alerts set handled_at = now(), handled_by = 'system'
    where cause = ${cause} and handled_at is null and last_at <= now() - make_interval(secs => ${silentFor})`)
