import { setTimeout as delay } from 'node:timers/promises'

/** A pause that ends early when there is something to do. */
export interface Sleeper {
  sleep(milliseconds: number): Promise<void>
  /** Ends the sleep under way, if there is one. */
  wake(): void
}

export const openSleeper = (): Sleeper => {
  let wake: () => void = () => {}
  return {
    async sleep(milliseconds) {
      const timer = new AbortController()
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined)])
      timer.abort()
    },
    wake: () => wake(),
  }
}
