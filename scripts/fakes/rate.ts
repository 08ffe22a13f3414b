/**
 * Counts calls within a second. The second is a fifth shorter than a real one: what the network and a busy machine do to the spacing
 * of a well-behaved client's calls is not the client's fault.
 */
export const callRate = (callsPerSecond: number): { take: () => boolean } => {
  const window = 800
  let taken: number[] = []
  return {
    take: () => {
      if (callsPerSecond === Infinity) return true
      const now = performance.now()
      taken = taken.filter((at) => now - at < window)
      if (taken.length >= callsPerSecond) return false
      taken.push(now)
      return true
    },
  }
}
