import { reasons } from '../failures/reasons.ts'
import { errorRecord, type Logger } from '../runtime/log.ts'

/** Pieces of work that may be in progress; more are refused. */
const capacity = 1_000

export interface Background {
  /**
   * Starts work that the response does not wait for. Its errors are logged.
   * @throws AppError (unavailable) when too much work is in progress
   */
  run(what: string, work: () => Promise<void>): void
  /** Resolves when all of it is done. */
  drain(): Promise<void>
}

/** Work whose duration must not show in the response time, and that a clean stop still finishes. */
export const openBackground = (log: Logger): Background => {
  const underWay = new Set<Promise<void>>()
  return {
    run(what, work) {
      if (underWay.size >= capacity) {
        throw reasons.busy({ retryAfter: 5 })
      }
      const task = Promise.resolve()
        .then(work)
        .catch((error: unknown) => log.error({ error: errorRecord(error) }, `${what} failed`))
        .finally(() => underWay.delete(task))
      underWay.add(task)
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
