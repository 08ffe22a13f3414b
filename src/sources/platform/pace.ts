import type { Sleep } from './abort.ts'

/** At most `calls` in any `window` milliseconds. */
export interface Rate {
  calls: number
  window: number
}

export interface Pace {
  /** Resolves when the next call may go out. */
  turn: (signal: AbortSignal) => Promise<void>
  /** Lets nobody go before so many milliseconds are over. */
  hold: (milliseconds: number) => void
}

/**
 * Calls that leave in step reach the platform in clumps, so a window is taken a tenth longer than the platform's.
 */
const slack = 1.1

/**
 * Keeps all rates at once, as a sliding window: what the limits allow goes out without waiting, the rest in the order
 * it came. The packages for this either let a burst twice the size through around the edge of a window, or cannot give
 * up one waiting call when its signal aborts.
 */
export const createPace = (rates: readonly Rate[], sleep: Sleep): Pace => {
  /** Of each rate, when the last `calls` calls were let go, as a ring. */
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
