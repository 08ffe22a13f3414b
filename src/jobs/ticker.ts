import { errorRecord, type Logger } from '../log.ts'

export interface Ticker {
  start(): void
  /** Starts no further check and waits for the current one. */
  stop(): Promise<void>
}

export interface TickerOptions {
  /** Milliseconds between the end of one check and the next. */
  every: number
  /** The name of the check, for the log. */
  what: string
  look: () => Promise<void>
  log: Logger
}

/**
 * Repeats a check, never twice at once. For cheap checks that every instance may make at any time; longer work, and
 * work for one instance only, belongs in the schedule.
 */
export const openTicker = ({ every, what, look, log }: TickerOptions): Ticker => {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false
  let failing = false

  const tick = async (): Promise<void> => {
    try {
      await look()
      failing = false
    } catch (error) {
      // Once, not every few seconds while the database is down.
      if (!failing && !stopped) log.warn({ error: errorRecord(error) }, `${what}: cannot be looked after now`)
      failing = true
    }
  }

  const next = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      looking = tick().finally(next)
    }, every)
  }

  return {
    start: next,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
