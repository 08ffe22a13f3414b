/** An item in progress, and its position. */
export interface Place<T> {
  readonly item: T
  /** -1: it is no longer in progress. */
  index: number
}

export interface PendingItems<T> {
  add(item: T): Place<T>
  /** @returns whether it was still in progress */
  remove(place: Place<T>): boolean
  /** In no order. */
  items(): T[]
}

/**
 * A set of items that come and go all the time. A Set would do, but whenever V8 gives a Set a new table, the old one
 * keeps a reference to it: from the first table that grows old, all items that were ever in the set are kept and copied
 * in memory until the next full garbage collection.
 */
export const pendingItems = <T>(): PendingItems<T> => {
  const places: Place<T>[] = []
  return {
    add(item) {
      const place = { item, index: places.length }
      places.push(place)
      return place
    },
    remove(place) {
      const { index } = place
      if (index < 0) return false
      place.index = -1
      const last = places.pop()
      if (last !== undefined && last !== place) {
        places[index] = last
        last.index = index
      }
      return true
    },
    items: () => places.map(({ item }) => item),
  }
}
