/** Numbers by their places, from 0. */
export interface NumberList {
  at(place: number): number
  size(): number
}

/** The place of a number among numbers that ascend; undefined: it is not there. */
export const placeIn = ({ at, size }: NumberList, wanted: number): number | undefined => {
  let [low, high] = [0, size()]
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) < wanted) low = middle + 1
    else high = middle
  }
  return low < size() && at(low) === wanted ? low : undefined
}

/** Whether a number is among these: eight bytes for each, where a set takes forty. */
export const among = (numbers: readonly number[]): ((wanted: number) => boolean) => {
  const sorted = Float64Array.from(numbers).sort()
  const values: NumberList = { at: (place) => sorted[place] as number, size: () => sorted.length }
  return (wanted) => placeIn(values, wanted) !== undefined
}
