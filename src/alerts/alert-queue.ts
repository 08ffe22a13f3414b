import type { Db } from '../db/client.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'
import type { Alert } from './alert.ts'
import type { Outbox } from './notifications/outbox.ts'
import { raiseAlerts } from './raise-alerts.ts'

/**
 * Causes that may wait to be written, and checks that may be in progress; more are logged and dropped. Dangers are not:
 * their causes are few, and callers who flood the queue cause none of them.
 */
const capacity = 1_000

/**
 * Raises an alert, or updates the open one of the same cause. Never throws and never waits for more than SQL: errors
 * are logged. Not for use inside a transaction: that writes its alerts itself (raise-alerts.ts).
 */
export type RaiseAlert = (alert: Alert) => Promise<void>

export interface AlertQueue {
  raise: RaiseAlert
  /** Raises the findings of a check of the database, if any. Never throws, and no caller waits for it. */
  raiseFound: (look: () => Promise<Alert | null>) => void
  /** Resolves when everything raised so far is written. */
  close(): Promise<void>
}

/**
 * Writes alerts one after the other, outside of the requests that cause them: however many come at once, they take one
 * connection, and the repeats of a cause that is still waiting become one write.
 */
export const openAlertQueue = ({ db, outbox, log }: { db: Db; outbox: Outbox; log: Logger }): AlertQueue => {
  const waiting = new Map<string, { alert: Alert; times: number; written: Promise<void> }>()
  const looking = new Set<Promise<void>>()
  let last: Promise<void> = Promise.resolve()

  const write = async (cause: string): Promise<void> => {
    const next = waiting.get(cause)
    waiting.delete(cause)
    if (next === undefined) return
    const { alert, times } = next
    try {
      await db.transaction((tx) => raiseAlerts(tx, outbox, [{ ...alert, times }]))
    } catch (error) {
      log.error({ error: errorRecord(error), alert }, 'an alert could not be kept')
    }
  }

  const raise: RaiseAlert = (alert) => {
    const { cause } = alert
    const same = waiting.get(cause)
    if (same) {
      same.alert = alert
      same.times += 1
      return same.written
    }
    if (waiting.size >= capacity && alert.level !== 'danger') {
      log.error({ alert }, 'too many alerts at once: one was not kept')
      return Promise.resolve()
    }
    last = last.then(() => write(cause))
    waiting.set(cause, { alert, times: 1, written: last })
    return last
  }

  const find = async (look: () => Promise<Alert | null>): Promise<void> => {
    try {
      const alert = await look()
      if (alert !== null) await raise(alert)
    } catch (error) {
      log.error({ error: errorRecord(error) }, 'whether there is an alert could not be found out')
    }
  }

  return {
    raise,

    raiseFound(look) {
      if (looking.size >= capacity) return log.error({}, 'too many alerts at once: one was not kept')
      const work: Promise<void> = find(look).finally(() => looking.delete(work))
      looking.add(work)
    },

    async close() {
      while (looking.size > 0) await Promise.all(looking)
      await last
    },
  }
}
