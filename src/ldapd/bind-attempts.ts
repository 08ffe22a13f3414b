import { setTimeout as delay } from 'node:timers/promises'

/** Wrong passwords for one name that cost nothing, the first delay, and the longest; milliseconds. */
const free = 3
const firstDelay = 100
const longestDelay = 5_000
const forgottenAfter = 15 * 60_000
const mostNames = 10_000

/**
 * Slows the guessing of passwords: each wrong one in a row for a name makes its answer wait twice as long. Only wrong
 * ones wait, so nobody can shut another out. It counts by name, not by address: the server is on loopback.
 */
export const bindAttempts = (now: () => number = Date.now) => {
  const failures = new Map<string, { count: number; last: number }>()
  return {
    /** Waits as long as a wrong answer for this name has to. */
    async failed(name: string): Promise<void> {
      const before = failures.get(name)
      const count = before && now() - before.last < forgottenAfter ? before.count + 1 : 1
      failures.delete(name)
      const [oldest] = failures.keys()
      if (failures.size >= mostNames && oldest !== undefined) failures.delete(oldest)
      failures.set(name, { count, last: now() })
      if (count > free)
        await delay(Math.min(firstDelay * 2 ** (count - free - 1), longestDelay), undefined, { ref: false })
    },
    succeeded(name: string): void {
      failures.delete(name)
    },
  }
}

export type BindAttempts = ReturnType<typeof bindAttempts>
