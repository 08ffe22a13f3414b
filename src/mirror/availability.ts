import type { Statement } from '../failures/statement.ts'
import { outOfService } from '../ldap/directory-error.ts'
import { steadyTime } from '../runtime/clock.ts'

/**
 * Whether the directory is available. It is greeted once on each connection, before anything is written. After a
 * connection failed, the next attempt waits for the back-off.
 */
export interface Availability {
  /** Resolves when this connection was greeted. @throws DirectoryError `unavailable` */
  ready(): Promise<void>
  /** Call it for each new connection. @returns whether it has to be greeted; false if the greeting itself opened it */
  connected(): boolean
  /**
   * Call it when the directory is not available: it is greeted again after the back-off. @returns whether it was
   * available before
   */
  lost(reason: Statement): boolean
  /** Milliseconds until the next attempt; 0: at once. */
  pause(): number
  /** Why it was not available the last time. */
  reason(): Statement | null
}

export interface AvailabilityOptions {
  greet: () => Promise<void>
  /** Called after each greeting with the number of failed attempts in a row before it. */
  greeted: (failures: number) => void
  /** Milliseconds. */
  now?: () => number
}

/** The longest pause between attempts, milliseconds. */
const longestPause = 10_000

/**
 * Milliseconds before the next attempt, after this number of failed attempts in a row: it doubles from a quarter of a
 * second.
 */
export const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(longestPause, 250 * 2 ** (failures - 1))

export const openAvailability = ({ greet, greeted, now = steadyTime }: AvailabilityOptions): Availability => {
  let failures = 0
  let reason: Statement | null = null
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
