import type { Page } from 'puppeteer-core'

interface HeldClock {
  /** The waits that are held and that the page has not ended, in milliseconds. */
  waits(): Promise<number[]>
  /** Lets so many milliseconds pass, with everything that is due in them. */
  pass(milliseconds: number): Promise<void>
}

interface Held {
  __held: { waits(): number[]; pass(milliseconds: number): void }
}

/**
 * From its next document on, waits of a second and more end in this page only when the test lets time pass. What the page
 * does in ten seconds is then tried in none.
 * @param from milliseconds of the shortest wait that is held, instead of a second
 */
export const holdClock = async (page: Page, from = 1000): Promise<HeldClock> => {
  await page.evaluateOnNewDocument((shortest: number) => {
    const { setTimeout, setInterval, clearTimeout } = window
    const held = new Map<number, { delay: number; at: number; repeats: boolean; run(): void }>()
    let now = 0
    // No number of the browser's own.
    let last = 1_000_000_000
    const holding =
      (repeats: boolean, set: Window['setTimeout']) =>
      (run: TimerHandler, delay = 0, ...values: unknown[]): number => {
        if (delay < shortest || typeof run !== 'function') return set(run, delay, ...values)
        last += 1
        held.set(last, { delay, at: now + delay, repeats, run: () => run(...values) })
        return last
      }
    const clear = (id?: number): void => {
      if (id !== undefined && !held.delete(id)) clearTimeout(id)
    }
    const next = (until: number) =>
      [...held].filter(([, { at }]) => at <= until).sort(([, one], [, other]) => one.at - other.at)[0]
    Object.assign(window, {
      setTimeout: holding(false, setTimeout),
      setInterval: holding(true, setInterval),
      clearTimeout: clear,
      clearInterval: clear,
      __held: {
        waits: () => [...held.values()].map(({ delay }) => delay),
        pass: (milliseconds: number): void => {
          const until = now + milliseconds
          for (let due = next(until); due !== undefined; due = next(until)) {
            const [id, wait] = due
            now = wait.at
            if (wait.repeats) wait.at += wait.delay
            else held.delete(id)
            wait.run()
          }
          now = until
        },
      },
    })
  }, from)
  return {
    waits: () => page.evaluate(() => (window as unknown as Held).__held.waits()),
    pass: (milliseconds) => page.evaluate((each) => (window as unknown as Held).__held.pass(each), milliseconds),
  }
}
