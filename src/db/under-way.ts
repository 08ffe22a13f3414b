/** Something under way, and where it is noted. */
export interface Place<T> {
  readonly item: T
  /** -1: it is not under way any more. */
  index: number
}

export interface UnderWay<T> {
  add(item: T): Place<T>
  /** Whether it was still under way. */
  remove(place: Place<T>): boolean
  /** In no order. */
  items(): T[]
}

/**
 * Notes what comes and goes all the time. A Set would do, but whenever V8 gives a Set a new table, the old one goes on
 * pointing to it: from the first table that grows old, all that ever passed through is kept, and moved about in memory,
 * until everything is searched for garbage.
 */
export const underWay = <T>(): UnderWay<T> => {
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
