/**
 * The clock of the service, in milliseconds since 1970: the host's, or the one that was set by `setClock`. Whatever is
 * stored goes by it, and whatever is compared with what is stored. What this process waits for goes by `steadyTime`.
 */
export const currentTime = (): number => clock()

let clock: () => number = Date.now

/** Sets the clock of this process; null: that of the host again. See db/clock.ts. */
export const setClock = (other: (() => number) | null): void => {
  clock = other ?? Date.now
}

/** Milliseconds since the start of this process, whatever happens to the clock of the host: for pauses and deadlines. */
export const steadyTime = (): number => performance.now()
