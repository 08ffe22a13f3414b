import { AsyncResource } from 'node:async_hooks'
import { errorRecord, type Logger } from '../runtime/log.ts'

/** What is shown live: read once for all who watch it, whatever their number. */
export interface Feed<T> {
  /** As it is now. Callers at the same time share one read. */
  read(): Promise<T>
  /** Calls the watcher with every new reading, until the returned function is called. */
  watch(watcher: (value: T) => void): () => void
  /** Says that it may have changed: it is read again, if it is watched. */
  changed(): void
}

export interface FeedOptions<T> {
  read: () => Promise<T>
  /** Milliseconds from the beginning of one reading for the watchers to the next. */
  pause?: number
  /** What it is, for the log. */
  what: string
  log: Logger
}

export const openFeed = <T>({ read, pause = 500, what, log }: FeedOptions<T>): Feed<T> => {
  const watchers = new Set<(value: T) => void>()
  let reading: Promise<T> | null = null
  let timer: NodeJS.Timeout | null = null
  let readAt = Number.NEGATIVE_INFINITY
  /** Something changed since the last reading for the watchers began. */
  let isStale = false
  let isTelling = false

  const shared = (): Promise<T> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  const tell = async (): Promise<void> => {
    timer = null
    isTelling = true
    isStale = false
    readAt = performance.now()
    try {
      // One that began before the change may not show it.
      await reading?.catch(() => undefined)
      const value = await shared()
      for (const watcher of [...watchers]) watcher(value)
    } catch (error) {
      log.debug({ error: errorRecord(error) }, `${what} cannot be read now`)
    } finally {
      isTelling = false
      if (isStale) schedule()
    }
  }

  // Not in the context of who says that it changed: that may be a transaction, which the reading is no part of.
  const schedule = AsyncResource.bind((): void => {
    if (watchers.size === 0 || timer !== null || isTelling) return
    timer = setTimeout(() => void tell(), Math.max(0, readAt + pause - performance.now()))
    timer.unref()
  })

  return {
    read: shared,
    watch(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    changed() {
      isStale = true
      schedule()
    },
  }
}
