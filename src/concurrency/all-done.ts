/**
 * Like `Promise.all`, but when one fails, the others are still waited for: no work is in progress when it throws.
 */
export const allDone = async <T>(work: Iterable<Promise<T>>): Promise<T[]> => {
  const settled = await Promise.allSettled(work)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
