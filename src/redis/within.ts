/**
 * What comes of `work`, or a rejection when it takes longer. What has arrived by then is in time: a process that was
 * busy itself looks at its sockets once more before it finds the other side late.
 */
export const within = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${milliseconds} ms`))
    const timer = setTimeout(() => setImmediate(late), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
