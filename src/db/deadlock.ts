import { setTimeout as sleep } from 'node:timers/promises'
import { sqlStateOf } from './sql-state.ts'

/**
 * Whether the server aborted this transaction because of a deadlock (SQLSTATE 40P01) or a serialization failure
 * (40001). It has changed nothing and can be retried.
 */
const isDeadlock = (error: unknown): boolean => ['40P01', '40001'].includes(sqlStateOf(error) ?? '')

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
