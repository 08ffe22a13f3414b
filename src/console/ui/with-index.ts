/** The indexes of rows in sight, and one more that is to be drawn in any case. */
export const withIndex = (indexes: readonly number[], index: number): number[] =>
  indexes.includes(index) ? [...indexes] : [...indexes, index].sort((a, b) => a - b)
