import { inTime } from '../concurrency/in-time.ts'

/** A pause that `wake` ends early. */
export interface Sleeper {
  sleep(milliseconds: number): Promise<void>
  /** Ends the current pause, if there is one. */
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
