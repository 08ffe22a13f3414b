import { errorRecord, type Logger } from '../log.ts'

export interface Ticker {
  start(): void
  /** Starts nothing any more and waits for what is under way. */
  stop(): Promise<void>
}

export interface TickerOptions {
  /** Milliseconds between the end of one look and the next. */
  every: number
  /** What is looked after, for the log. */
  what: string
  look: () => Promise<void>
  log: Logger
}

/**
 * Looks after something again and again, never twice at once. For looks that are cheap and that any instance may take
 * at any time; what only one may do, and longer work, belongs into the schedule.
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
      // Once, not every few seconds, for as long as a database is down.
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
