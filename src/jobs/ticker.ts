import { errorRecord, type Logger } from '../runtime/log.ts'

/** What a check returns that looks after a portion at a time, and has left others. */
export const moreIsLeft = 'more is left'

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
  /** Resolves to `moreIsLeft` where it took a portion: the next check follows at once. */
  look: () => Promise<unknown>
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

  const tick = async (): Promise<unknown> => {
    try {
      const found = await look()
      failing = false
      return found
    } catch (error) {
      // Once, not every few seconds while the database is down.
      if (!failing && !stopped) log.warn({ error: errorRecord(error) }, `${what}: cannot be looked after now`)
      failing = true
      return undefined
    }
  }

  const next = (pause: number): void => {
    if (stopped) return
    timer = setTimeout(() => {
      looking = tick().then((found) => next(found === moreIsLeft ? 0 : every))
    }, pause)
  }

  return {
    start: () => next(every),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
