import { LRUCache } from 'lru-cache'

/** At most `max` requests within any `window` milliseconds. */
export interface Limit {
  max: number
  window: number
}

/** The result for a request, in the terms of @fastify/rate-limit's stores. */
export interface Taken {
  /** Requests of the window, this one included; above the limit's `max` it is refused and not counted. */
  current: number
  /** Milliseconds until the window has room for one more request. */
  ttl: number
}

/** Counts a request against a key's window, unless the window is full. */
export type TakeFromWindow = (key: string, limit: Limit) => Taken | Promise<Taken>

/** Keys that are counted at once; above it the least recently used one is dropped. */
const capacity = 10_000

/**
 * Sliding windows in memory, exact: the instant of every counted request is stored until it leaves its window. All keys
 * have the same limit. A refused request does not prolong the wait, so a caller who retries after `ttl` is served.
 */
export const memoryWindows = (now: () => number): TakeFromWindow => {
  const counted = new LRUCache<string, number[]>({ max: capacity })

  return (key, { max, window }) => {
    const at = now()
    // An instant in the future was read before the clock was set back.
    const instants = (counted.peek(key) ?? []).filter((instant) => instant > at - window && instant <= at)
    const first = instants[0] ?? at
    if (instants.length >= max) return { current: max + 1, ttl: first + window - at }
    instants.push(at)
    counted.set(key, instants)
    return { current: instants.length, ttl: first + window - at }
  }
}
