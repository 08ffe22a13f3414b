import { setTimeout as delay } from 'node:timers/promises'

/** The time between the signal to stop and the stop, in which a load balancer learns of it. */
export interface Drain {
  /** From then on the instance says that it is not ready, and serves what arrives all the same. */
  begun(): boolean
  /** Begins it and resolves at its end, which a second call brings about. */
  pass(): Promise<void>
}

/** @param period milliseconds; 0: the instance stops at once */
export const openDrain = (period: number): Drain => {
  const ended = new AbortController()
  let passing: Promise<void> | undefined
  return {
    begun: () => passing !== undefined,
    pass() {
      if (passing !== undefined) ended.abort()
      passing ??= delay(period, undefined, { signal: ended.signal }).catch(() => undefined)
      return passing
    },
  }
}
