/** Milliseconds that one piece of work may take before other work, HTTP requests included, is served. */
const defaultSlice = 2

export interface Turns {
  /**
   * Waits for a turn. It ends when the caller awaits anything, and should end when it is `over`.
   * @param who the name, or whatever else is to get a share of its own
   */
  next(who: string | object): Promise<void>
  /** Whether the turn has lasted long enough. */
  readonly over: boolean
}

/**
 * Shares the process's one thread among pieces of work that may be long: one turn in each round of the event loop.
 * Between the turns all other work of the process goes on. A name with many pieces waiting gets no more turns than a
 * name with one.
 */
export const openTurns = (slice = defaultSlice): Turns => {
  const waiting = new Map<string | object, (() => void)[]>()
  let scheduled = false
  let end = 0

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // Work that is added during a turn belongs to the next round, after the sockets were polled.
    setImmediate(run)
  }

  const run = (): void => {
    scheduled = false
    const [first] = waiting
    if (!first) return
    const [who, line] = first
    const start = line.shift()
    waiting.delete(who)
    if (line.length > 0) waiting.set(who, line)
    if (waiting.size > 0) schedule()
    end = performance.now() + slice
    start?.()
  }

  return {
    next: (who) =>
      new Promise((resolve) => {
        const line = waiting.get(who)
        if (line) line.push(resolve)
        else waiting.set(who, [resolve])
        schedule()
      }),
    get over() {
      return performance.now() >= end
    },
  }
}
