/** Milliseconds that one piece of work has before all others, those of HTTP among them, are served. */
const defaultSlice = 2

export interface Turns {
  /** Waits for a turn. It lasts until the caller waits for anything, and should when it is `over`. */
  next(who: string): Promise<void>
  /** Whether the turn has lasted long enough. */
  readonly over: boolean
}

/**
 * Shares the process's one thread out among pieces of work that may be long: one turn in each round of the event loop,
 * between which everything else the process does goes on. Whoever has many pieces waiting gets no more turns than who
 * has one.
 */
export const openTurns = (slice = defaultSlice): Turns => {
  const waiting = new Map<string, (() => void)[]>()
  let scheduled = false
  let end = 0

  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    // What is added while these are run belongs to the next round, after the sockets were looked at.
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
