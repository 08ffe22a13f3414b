import { reasons } from '../failures/reasons.ts'

export interface Semaphore {
  /** Pieces of work that run or wait. */
  readonly load: number
  /** @throws AppError (unavailable) when too many wait */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Milliseconds that those for whom there is room wait for more to begin with. */
const soon = 20

/**
 * Lets `running` pieces of work run at once and `waiting` more wait, by default any number, first come first served.
 * @param together so many of those that wait begin at the same moment, or fewer after `patience` milliseconds: what runs may
 *   take long. Default: 1, each as soon as it can
 */
export const semaphore = (
  running: number,
  waiting = Number.POSITIVE_INFINITY,
  together = 1,
  patience = soon,
): Semaphore => {
  const line: (() => void)[] = []
  let free = running
  let timer: NodeJS.Timeout | undefined
  /** The slots pass to the first in the queue directly, so that a newcomer cannot take them. */
  const beginNext = (): void => {
    clearTimeout(timer)
    timer = undefined
    const next = line.splice(0, free)
    free -= next.length
    for (const begin of next) begin()
  }
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
        if (free >= Math.min(together, line.length)) beginNext()
        else timer ??= setTimeout(beginNext, patience)
      }
    },
  }
}
