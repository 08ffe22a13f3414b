/** So many requests within any so many milliseconds. */
export interface Limit {
  max: number
  window: number
}

/** What became of a request, in the terms of @fastify/rate-limit's stores. */
export interface Taken {
  /** Requests of the window, this one included; more than the limit's `max`: it is refused and not counted. */
  current: number
  /** Milliseconds until the window has room for one more. */
  ttl: number
}

/** Counts a request against a key's window, unless the window is full. */
export type TakeFromWindow = (key: string, limit: Limit) => Taken | Promise<Taken>

/** Keys that are counted at once; beyond it the one that has been quiet for longest is forgotten. */
const capacity = 10_000

/**
 * Sliding windows in memory, exact: the instant of every counted request is kept until it leaves its window. For keys
 * with one and the same limit. A request that is refused does not prolong the wait, so a caller who comes back after
 * `ttl` is served.
 */
export const memoryWindows = (now: () => number): TakeFromWindow => {
  /** In the order of their newest request, so that those whose windows are empty come first. */
  const counted = new Map<string, number[]>()

  const forget = (until: number): void => {
    for (const [key, instants] of counted) {
      if (counted.size <= capacity && (instants.at(-1) ?? 0) > until) return
      counted.delete(key)
    }
  }

  return (key, { max, window }) => {
    const at = now()
    // An instant that is yet to come was read from a clock that has been put back since.
    const instants = (counted.get(key) ?? []).filter((instant) => instant > at - window && instant <= at)
    const first = instants[0] ?? at
    if (instants.length >= max) return { current: max + 1, ttl: first + window - at }
    instants.push(at)
    counted.delete(key)
    counted.set(key, instants)
    forget(at - window)
    return { current: instants.length, ttl: first + window - at }
  }
}
