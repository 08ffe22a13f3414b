/** A source of chance that gives the same sequence for the same seed. */
export interface Random {
  /** At least 0, below 1. */
  fraction: () => number
  /** A whole number from 0 to below the limit. */
  below: (limit: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
}

/** Mulberry32 (Tommy Ettinger): 32 bits of state are enough for test data, and it is fast. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('There is nothing to pick from')
      return items[below(items.length)] as T
    },
  }
}

/** The items in another order; the same for the same seed. */
export const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const random = seededRandom(seed)
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const kept = result[last] as T
    result[last] = result[other] as T
    result[other] = kept
  }
  return result
}
