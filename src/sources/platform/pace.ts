import type { Sleep } from '../../concurrency/abort.ts'

/** At most `calls` in any `window` milliseconds. */
export interface Rate {
  calls: number
  window: number
}

export interface Pace {
  /** Resolves when the next call may be sent. */
  turn: (signal: AbortSignal) => Promise<void>
  /** Delays all calls by this many milliseconds. */
  hold: (milliseconds: number) => void
}

/**
 * Calls that are sent evenly may reach the platform in bursts, so a window is taken a tenth longer than the platform's.
 */
const slack = 1.1

/**
 * Applies all rate limits at once, as sliding windows: calls within the limits are sent at once, the others in order.
 * The packages for this either allow a burst of twice the size around the edge of a window, or cannot cancel one
 * waiting call when its signal aborts.
 */
export const createPace = (rates: readonly Rate[], sleep: Sleep): Pace => {
  /** For each limit, the times of the last `calls` calls, as a ring. */
  const rings = rates.map(({ calls, window }) => ({
    window: window * slack,
    times: new Float64Array(calls).fill(Number.NEGATIVE_INFINITY),
  }))
  let turns = 0
  let heldUntil = 0

  return {
    async turn(signal) {
      const now = performance.now()
      let at = Math.max(now, heldUntil)
      for (const { window, times } of rings) at = Math.max(at, (times[turns % times.length] ?? 0) + window)
      for (const { times } of rings) times[turns % times.length] = at
      turns += 1
      if (at > now) await sleep(at - now, signal)
      const held = heldUntil - performance.now()
      if (held > 0 && heldUntil > at) await sleep(held, signal)
    },
    hold(milliseconds) {
      heldUntil = Math.max(heldUntil, performance.now() + milliseconds)
    },
  }
}
