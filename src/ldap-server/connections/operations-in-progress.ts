/** How much of one connection may be in progress. */
export interface InProgressLimits {
  operations: number
  /** Of their requests. */
  bytes: number
}

/** The operations of one connection that have begun and have not ended. */
export const operationsInProgress = () => {
  const running = new Map<number, { abort: AbortController; ended: Promise<void> }>()
  let bytesHeld = 0
  return {
    has: (id: number): boolean => running.has(id),
    /** Begins the operation with this message id. The signal is aborted by `abort` and `abortAll`. */
    start(id: number, carryOut: (signal: AbortSignal) => Promise<void>): Promise<void> {
      const abort = new AbortController()
      const ended = carryOut(abort.signal).finally(() => running.delete(id))
      running.set(id, { abort, ended })
      return ended
    },
    /** Counts the bytes of a request for as long as the work takes. */
    async holding(bytes: number, work: () => Promise<void>): Promise<void> {
      bytesHeld += bytes
      try {
        await work()
      } finally {
        bytesHeld -= bytes
      }
    },
    /**
     * Waits until one more request of that size is within the limits; where nothing is in progress, it is.
     * @param limits read again after each operation that ends: a bind changes them
     */
    async untilFits(bytes: number, limits: () => InProgressLimits): Promise<void> {
      const isFull = (): boolean => {
        const max = limits()
        return running.size >= max.operations || bytesHeld + bytes > max.bytes
      }
      while (running.size > 0 && isFull()) await Promise.race([...running.values()].map(({ ended }) => ended))
    },
    /** Resolves when those that have begun by now have ended. */
    ended: (): Promise<unknown> => Promise.all([...running.values()].map(({ ended }) => ended)),
    abort: (id: number): void => running.get(id)?.abort.abort(),
    abortAll(): void {
      for (const { abort } of running.values()) abort.abort()
    },
  }
}
