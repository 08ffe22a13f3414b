import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Whether the server aborted this transaction because of a deadlock (SQLSTATE 40P01) or a serialization failure
 * (40001). It has changed nothing and can be retried. Looks through `cause` (DrizzleQueryError).
 */
const isDeadlock = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (code === '40P01' || code === '40001') return true
  }
  return false
}

/** How often an aborted transaction is attempted. */
const tries = 8
/**
 * Milliseconds of pause at most, times the attempts so far: transactions that collided must not collide again at once.
 */
const pause = 25

/** Retries a change after a deadlock. `attempt` may have no effect other than one transaction. */
export const withoutDeadlock = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let left = tries - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error
      await sleep(Math.random() * pause * (tries - left))
    }
  }
}
