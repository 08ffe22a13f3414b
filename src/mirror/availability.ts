import { outOfService } from '../ldap/directory-error.ts'

/**
 * Whether the directory can be worked with. It is greeted once on each connection, before anything is written, and left
 * alone for a while after it was out of reach.
 */
export interface Availability {
  /** Resolves when this connection was greeted. @throws DirectoryError `unavailable` when it cannot be worked with */
  ready(): Promise<void>
  /** There is a new connection. @returns whether it is to be greeted: not where a greeting makes it itself */
  connected(): boolean
  /** The directory is out of reach: it is greeted anew after a pause. @returns whether it was within reach before */
  lost(reason: string): boolean
  /** Milliseconds until it is tried again; 0: at once. */
  pause(): number
  /** Why it was out of reach last. */
  reason(): string
}

export interface AvailabilityOptions {
  greet: () => Promise<void>
  /** Told after each greeting how often in a row the directory was out of reach before it. */
  greeted: (failures: number) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Longest pause between attempts to reach a directory that is out of reach, milliseconds. */
const longestPause = 10_000

/** Milliseconds before the next attempt, after so many that failed in a row: doubling from a quarter of a second. */
export const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestPause, 250 * 2 ** (failures - 1))

export const openAvailability = ({ greet, greeted, now = Date.now }: AvailabilityOptions): Availability => {
  let failures = 0
  let reason = ''
  let pausedUntil = 0
  let greeting: Promise<void> | null = null
  let isGreeting = false

  const greetOnce = async (): Promise<void> => {
    isGreeting = true
    try {
      await greet()
      const before = failures
      failures = 0
      pausedUntil = 0
      greeted(before)
    } finally {
      isGreeting = false
    }
  }

  return {
    ready() {
      greeting ??= greetOnce().catch((error: unknown) => {
        greeting = null
        return outOfService(error)
      })
      return greeting
    },
    connected() {
      if (isGreeting) return false
      greeting = null
      return true
    },
    lost(because) {
      reason = because
      failures++
      pausedUntil = now() + pauseAfter(failures)
      greeting = null
      return failures === 1
    },
    pause: () => Math.max(0, pausedUntil - now()),
    reason: () => reason,
  }
}
