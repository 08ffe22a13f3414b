import { setTimeout as timer } from 'node:timers/promises'

/** Waits so many milliseconds; rejects with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const sleep: Sleep = async (milliseconds, signal) => {
  await timer(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())
}

export interface Linked {
  signal: AbortSignal
  abort: (reason: unknown) => void
  /** Removes the links to its signals, which live much longer. */
  release: () => void
}

/**
 * A signal that aborts with any of `signals`, for their reason. AbortSignal.any cannot let go of them: what it adds to a
 * signal of the whole service stays until the service ends.
 */
export const linked = (...signals: AbortSignal[]): Linked => {
  const controller = new AbortController()
  const follow = (event: Event): void => controller.abort((event.target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    signal.addEventListener('abort', follow)
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', follow)
    },
  }
}

/**
 * Work with a signal that aborts with `signal`, or for the reason that `late` gives when the work takes longer than so
 * many milliseconds.
 */
export const withDeadline = async <T>(
  milliseconds: number,
  { signal, late }: { signal: AbortSignal; late: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const link = linked(signal)
  const deadline = setTimeout(() => link.abort(late()), milliseconds)
  try {
    return await work(link.signal)
  } finally {
    clearTimeout(deadline)
    link.release()
  }
}

/** The result of `work`, unless the signal aborts first; `work` itself continues. */
export const orAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
