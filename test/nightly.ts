/** NIGHTLY=1: everything, however long it takes. Without it a test that does the same at many moments takes a sample. */
export const nightly = process.env.NIGHTLY === '1'

/** Some of them in their order, chosen at random; by night all. */
export const sampleOf = <T>(all: readonly T[], count: number): readonly T[] => {
  if (nightly) return all
  const chosen = new Set(
    all
      .map((_, index) => ({ index, at: Math.random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ index }) => index),
  )
  return all.filter((_, index) => chosen.has(index))
}
