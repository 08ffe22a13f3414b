import { reasons } from './reasons.ts'

export interface Semaphore {
  /** Pieces of work that run or wait. */
  readonly load: number
  /** @throws AppError (unavailable) when too many wait */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Lets `running` pieces of work run at once and `waiting` more wait, by default any number, first come first served. */
export const semaphore = (running: number, waiting = Number.POSITIVE_INFINITY): Semaphore => {
  const line: (() => void)[] = []
  let free = running
  return {
    get load() {
      return running - free + line.length
    },
    async run(work) {
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
    },
  }
}
