import { currentTime, steadyTime } from '../runtime/clock.ts'
import { openCounts } from './counts.ts'
import { type LogEntry, sealedEntry, sealPaths } from './entry.ts'

/**
 * What the operation log still has to write: the entries in the order they were added, counts of the requests that came
 * while too many waited, and the number of requests that were refused.
 */
export interface Backlog {
  /** Keeps an entry. While too many wait, it is counted with those like it. */
  add(entry: LogEntry): void
  /** Counts a request that was refused because the log cannot be written. */
  addRefusal(): void
  /** Makes the counted requests entries, even where there is no room for them: before a stop. */
  addCounted(): void
  /** The next entries, up to `max` of them. They wait until they are settled. */
  take(max: number): LogEntry[]
  /** So many of the entries that were taken are written. Once there is room, counts become entries. */
  settle(count: number): void
  /** Entries added so far, and those of them that are settled. */
  added(): number
  settled(): number
  waiting(): number
  isFull(): boolean
  /** When entries were last settled, or began to wait. */
  since(): Date
  /** How long that is ago; milliseconds, whatever happened to the clock. */
  waitedFor(): number
  /** Refused requests that are in no entry yet. */
  refusals(): number
}

/** Kinds of requests that are counted while too many entries wait. */
const countedSorts = 1000

/**
 * @param capacity entries that may wait
 * @param now milliseconds since 1970
 */
export const openBacklog = (capacity: number, now: () => number = currentTime): Backlog => {
  const queue: LogEntry[] = []
  const overflow = openCounts(countedSorts)
  let added = 0
  let settled = 0
  let progress = { at: now(), steady: steadyTime() }
  let refused: { count: number; since: Date } | null = null

  const waiting = (): number => added - settled

  const noteProgress = (): void => {
    progress = { at: now(), steady: steadyTime() }
  }

  const enqueue = (entry: LogEntry): void => {
    if (waiting() === 0) noteProgress()
    queue.push(entry)
    added += 1
  }

  const addCounted = (): void => overflow.take().forEach(enqueue)

  const addRefused = (): void => {
    if (refused === null) return
    const { count, since } = refused
    refused = null
    enqueue(
      sealedEntry({
        path: sealPaths.refused,
        remark: `Requests refused while the operation log could not be written: ${count}`,
        status: 503,
        startTime: since,
        timeCost: now() - since.getTime(),
      }),
    )
  }

  return {
    add(entry) {
      if (waiting() < capacity) {
        enqueue(entry)
        return
      }
      const { username, method, path, status } = entry
      overflow.add(JSON.stringify([username, method, path, status]), entry)
    },
    addRefusal() {
      refused ??= { count: 0, since: new Date(now()) }
      refused.count += 1
    },
    addCounted,
    take: (max) => queue.splice(0, max),
    settle(count) {
      settled += count
      noteProgress()
      if (waiting() >= capacity / 2) return
      addCounted()
      addRefused()
    },
    added: () => added,
    settled: () => settled,
    waiting,
    isFull: () => waiting() >= capacity,
    since: () => new Date(progress.at),
    waitedFor: () => steadyTime() - progress.steady,
    refusals: () => refused?.count ?? 0,
  }
}
