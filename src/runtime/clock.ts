/**
 * The clock of the service, in milliseconds since 1970: the host's, or the one that was set by `setClock`. Use it for every
 * time that is stored or compared with a stored one. Use `steadyTime` for what this process waits for.
 */
export const currentTime = (): number => clock()

let clock: () => number = Date.now

/** Sets the clock of this process; null: that of the host again. See db/clock.ts. */
export const setClock = (other: (() => number) | null): void => {
  clock = other ?? Date.now
}

/** Milliseconds by which a stored time may be ahead, because two clocks differ or one was just put right. */
export const clockTolerance = 300_000

/** Milliseconds since the start of this process, whatever happens to the clock of the host: for pauses and deadlines. */
export const steadyTime = (): number => performance.now()

/** A moment to count from, by both clocks of the host. */
export interface Moment {
  /** Milliseconds since 1970. */
  wall: number
  /** See `steadyTime`. */
  steady: number
}

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: steadyTime() })

/**
 * Milliseconds that have passed between two moments: the larger of what the two clocks say. The wall clock may have been
 * set back, and the steady one stands still while the host sleeps.
 */
export const elapsedBetween = (since: Moment, until: Moment): number =>
  Math.max(until.wall - since.wall, until.steady - since.steady)
