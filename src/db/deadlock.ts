import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Whether the server gave this transaction up because it and others waited for each other (SQLSTATE 40P01), or because
 * it could not be put in a row with them (40001). It has changed nothing and can be made again. Looks through `cause`
 * (DrizzleQueryError).
 */
const isDeadlock = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code: unknown = Reflect.get(at, 'code')
    if (code === '40P01' || code === '40001') return true
  }
  return false
}

/** How often a change is made, when the server gives it up for others that it was entangled with. */
const tries = 8
/** Milliseconds between two tries, at most, times the tries so far: those who collided must not meet again at once. */
const pause = 25

/** Makes a change again when the server gave it up. It does nothing but through one transaction. */
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
