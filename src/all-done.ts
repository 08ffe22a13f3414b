/**
 * Like `Promise.all`, but when one fails, the others are waited for all the same: nothing is under way any more when it
 * throws.
 */
export const allDone = async <T>(work: Iterable<Promise<T>>): Promise<T[]> => {
  const settled = await Promise.allSettled(work)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
