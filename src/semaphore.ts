import { reasons } from './reasons.ts'

export interface Semaphore {
  /** Pieces of work that run or wait. */
  readonly load: number
  /** @throws AppError (unavailable) when too many wait */
  run<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Lets `running` pieces of work run at once and `waiting` more wait, by default any number, first come first served.
 * @param together so many of those that wait begin at the same moment. Default: 1, each as soon as it can
 */
export const semaphore = (running: number, waiting = Number.POSITIVE_INFINITY, together = 1): Semaphore => {
  const line: (() => void)[] = []
  let free = running
  return {
    get load() {
      return running - free + line.length
    },
    async run(work) {
      if (free > 0 && line.length === 0) free -= 1
      else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve))
      else throw reasons.busy({ retryAfter: 1 })
      try {
        return await work()
      } finally {
        free += 1
        // The slots pass to the first in the queue directly, so that a newcomer cannot take them.
        if (free >= Math.min(together, line.length)) {
          const next = line.splice(0, free)
          free -= next.length
          for (const begin of next) begin()
        }
      }
    },
  }
}
