/**
 * The result of `work`, or a rejection when it takes longer. A result that has arrived by then counts: a process that
 * was busy reads its sockets once more before it reports a timeout.
 */
export const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${milliseconds} ms`))
    const timer = setTimeout(() => setImmediate(late), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
