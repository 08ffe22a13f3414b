import { reasons } from '../failures/reasons.ts'

export interface Semaphore {
  /** Pieces of work that run or wait. */
  readonly load: number
  /** @throws AppError (unavailable) when too many wait */
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface SemaphoreOptions {
  /** Pieces of work that may wait; default: any number. */
  queue?: number
  /**
   * Waiting work begins this many at a time, or fewer where `timeout` has passed since the first slot became free: what
   * runs may take long. Default: 1, each begins as soon as a slot is free.
   */
  batch?: number
  /** Milliseconds; default 20. */
  timeout?: number
}

/** Runs up to `slots` pieces of work at once; further work waits, first come first served. */
export const semaphore = (
  slots: number,
  { queue: maxWaiting = Number.POSITIVE_INFINITY, batch = 1, timeout = 20 }: SemaphoreOptions = {},
): Semaphore => {
  const queue: (() => void)[] = []
  let free = slots
  let timer: NodeJS.Timeout | undefined
  /** The slots pass to the first in the queue directly, so that a newcomer cannot take them. */
  const beginNext = (): void => {
    clearTimeout(timer)
    timer = undefined
    const next = queue.splice(0, free)
    free -= next.length
    for (const begin of next) begin()
  }
  return {
    get load() {
      return slots - free + queue.length
    },
    async run(work) {
      if (free > 0 && queue.length === 0) free -= 1
      else if (queue.length < maxWaiting) await new Promise<void>((resolve) => queue.push(resolve))
      else throw reasons.busy({ retryAfter: 1 })
      try {
        return await work()
      } finally {
        free += 1
        if (free >= Math.min(batch, queue.length)) beginNext()
        else timer ??= setTimeout(beginNext, timeout)
      }
    },
  }
}
