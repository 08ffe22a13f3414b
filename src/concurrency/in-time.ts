/**
 * The result of `work`, or that of `late` (which may throw) when it takes longer; the work itself continues. A result
 * that has arrived by then counts: a process that was busy reads its sockets once more before it gives up.
 */
export const inTime = <T, L>(milliseconds: number, work: PromiseLike<T>, late: () => L): Promise<T | L> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => {
      try {
        resolve(late())
      } catch (error) {
        reject(error)
      }
    }
    const timer = setTimeout(() => setImmediate(giveUp), milliseconds)
    const stop = (): void => clearTimeout(timer)
    work.then(
      (result) => {
        stop()
        resolve(result)
      },
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
  })
