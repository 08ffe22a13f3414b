/** Lets `most` tasks run at the same time, the others in the order they came. */
export const createTurns = (most: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    /** Tasks running or waiting. */
    get load(): number {
      return running + waiting.length
    },
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (running < most) running++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await task()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
