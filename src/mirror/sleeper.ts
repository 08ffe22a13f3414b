import { inTime } from '../in-time.ts'

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
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await inTime(milliseconds, woken, () => {})
    },
    wake: () => wake(),
  }
}
