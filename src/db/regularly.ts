/**
 * Does work again and again, never twice at once. It does not keep the process alive.
 * @param interval milliseconds
 * @returns a function that stops it; what is under way ends by itself
 */
export const regularly = (
  interval: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): (() => void) => {
  let busy = false
  const turn = async (): Promise<void> => {
    if (busy) return
    busy = true
    try {
      await work()
    } catch (error) {
      failed(error)
    } finally {
      busy = false
    }
  }
  const timer = setInterval(turn, interval).unref()
  return () => clearInterval(timer)
}
