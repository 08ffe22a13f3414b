/** Numbers in ascending order. */
export interface NumberList {
  at(index: number): number
  size(): number
}

/** The index of a number in a sorted list, by binary search; undefined: it is not there. */
export const indexIn = ({ at, size }: NumberList, wanted: number): number | undefined => {
  let [low, high] = [0, size()]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) < wanted) low = middle + 1
    else high = middle
  }
  return low < size() && at(low) === wanted ? low : undefined
}

/** A test for membership in a set of numbers that takes 8 bytes for each, where a `Set` takes 40. */
export const membershipTest = (numbers: readonly number[]): ((wanted: number) => boolean) => {
  const sorted = Float64Array.from(numbers).sort()
  const values: NumberList = { at: (index) => sorted[index] as number, size: () => sorted.length }
  return (wanted) => indexIn(values, wanted) !== undefined
}
