/** Work that is done soon after it was asked for, and again after growing pauses as long as it fails. */
export interface Retries {
  /** Asks for the work, unless it is asked for already. */
  wake(): void
  /** Failures in a row. */
  failures(): number
  /** The work goes on: the next failure is the first again. */
  succeeded(): void
  /** No work begins after this. */
  stop(): void
}

export interface RetryOptions {
  work: () => Promise<void>
  /** Whether there is work to do, asked after it succeeded. */
  isLeft: () => boolean
  /** Milliseconds until the work begins, so that more of it can come together. */
  delay: number
  /** Milliseconds until it is tried again, at most. */
  longestPause: number
  onFailure: (error: unknown, failures: number) => void
}

export const openRetries = ({ work, isLeft, delay, longestPause, onFailure }: RetryOptions): Retries => {
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const tryOnce = async (): Promise<void> => {
    try {
      await work()
      timer = undefined
      if (isLeft()) schedule(delay)
    } catch (error) {
      failures += 1
      onFailure(error, failures)
      schedule(Math.min(delay * 2 ** failures, longestPause))
    }
  }

  const schedule = (pause: number): void => {
    if (!stopped) timer = setTimeout(tryOnce, pause)
  }

  return {
    wake() {
      if (timer === undefined) schedule(delay)
    },
    failures: () => failures,
    succeeded() {
      failures = 0
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
