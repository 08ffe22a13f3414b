import { reasons } from './reasons.ts'

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `running` pieces of work through at once and `waiting` more stand in line, first come first served.
 * @throws AppError (unavailable) when the line is full
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
      // The place is handed on rather than freed, so nobody can slip in before the first in line.
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
}
