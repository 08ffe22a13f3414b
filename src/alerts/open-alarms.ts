import type { Db } from '../db/client.ts'
import { errorRecord, type Logger } from '../log.ts'
import type { Alarm, RaiseAlarm } from './alarm.ts'
import type { Outbox } from './notifications/outbox.ts'
import { raiseAlerts } from './raise-alerts.ts'

/** Causes that may be waiting to be written, and looks that may be under way; more are logged and not kept. */
const capacity = 1_000

export interface Alarms {
  raise: RaiseAlarm
  /** Raises what a look into the database finds, if anything. Never throws, and nobody waits for it. */
  raiseFound: (look: () => Promise<Alarm | null>) => void
  /** Resolves when everything raised so far is written. */
  close(): Promise<void>
}

/**
 * Writes alarms one after the other, beside the requests that cause them: however many come at once, they take one
 * connection, and the repeats of a cause that is still waiting become one write.
 */
export const openAlarms = ({ db, outbox, log }: { db: Db; outbox: Outbox; log: Logger }): Alarms => {
  const waiting = new Map<string, { alarm: Alarm; times: number; written: Promise<void> }>()
  const looking = new Set<Promise<void>>()
  let last: Promise<void> = Promise.resolve()

  const write = async (cause: string): Promise<void> => {
    const next = waiting.get(cause)
    waiting.delete(cause)
    if (next === undefined) return
    const { alarm, times } = next
    try {
      await db.transaction((tx) => raiseAlerts(tx, outbox, [{ ...alarm, times }]))
    } catch (error) {
      log.error({ error: errorRecord(error), alarm }, 'an alarm could not be kept')
    }
  }

  const raise: RaiseAlarm = (alarm) => {
    const { cause } = alarm
    const same = waiting.get(cause)
    if (same) {
      same.alarm = alarm
      same.times += 1
      return same.written
    }
    if (waiting.size >= capacity) {
      log.error({ alarm }, 'too many alarms at once: one was not kept')
      return Promise.resolve()
    }
    last = last.then(() => write(cause))
    waiting.set(cause, { alarm, times: 1, written: last })
    return last
  }

  const find = async (look: () => Promise<Alarm | null>): Promise<void> => {
    try {
      const alarm = await look()
      if (alarm !== null) await raise(alarm)
    } catch (error) {
      log.error({ error: errorRecord(error) }, 'whether there is an alarm could not be found out')
    }
  }

  return {
    raise,

    raiseFound(look) {
      if (looking.size >= capacity) return log.error({}, 'too many alarms at once: one was not kept')
      const work: Promise<void> = find(look).finally(() => looking.delete(work))
      looking.add(work)
    },

    async close() {
      while (looking.size > 0) await Promise.all(looking)
      await last
    },
  }
}
