import { reasons } from './reasons.ts'

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `running` pieces of work run at once and `waiting` more wait, first come first served.
 * @throws AppError (unavailable) when the queue is full
 */
export const semaphore = (running: number, waiting: number): Semaphore => {
  const line: (() => void)[] = []
  let free = running
  return async (work) => {
    if (free > 0) free -= 1
    else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve))
    else throw reasons.busy({ retryAfter: 1 })
    try {
      return await work()
    } finally {
      // The slot passes to the first in the queue directly, so that a newcomer cannot take it.
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
}
