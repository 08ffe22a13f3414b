import { setImmediate } from 'node:timers/promises'

/** Milliseconds that long work may block the event loop at a time. */
const duration = 10

export interface TimeSlices {
  /** Whether the present slice is used up: call `next`. */
  readonly over: boolean
  /** Yields to the event loop; then the next slice begins. */
  next(): Promise<void>
}

/** For long work on the event loop: it is done in slices of 10 ms, and requests are answered between them. */
export const openTimeSlices = (): TimeSlices => {
  let until = performance.now() + duration
  return {
    get over() {
      return performance.now() >= until
    },
    async next() {
      await setImmediate()
      until = performance.now() + duration
    },
  }
}

/** `items.map(change)`, in slices. */
export const mapInTimeSlices = async <T, R>(items: readonly T[], change: (item: T) => R): Promise<R[]> => {
  const slices = openTimeSlices()
  const changed: R[] = []
  for (const item of items) {
    changed.push(change(item))
    if (slices.over) await slices.next()
  }
  return changed
}
