import type { Socket } from 'node:net'

/** Writes to a socket no faster than its reader reads; a reader that stands still is dropped. */
export const socketWriter = (socket: Socket, stalledAfter: number) => {
  let draining: Promise<void> | null = null

  const drained = (): Promise<void> | undefined => {
    if (!socket.writableNeedDrain || socket.destroyed) return undefined
    draining ??= new Promise<void>((resolve) => {
      const stalled = setTimeout(() => socket.destroy(), stalledAfter).unref()
      const done = (): void => {
        clearTimeout(stalled)
        socket.off('drain', done).off('close', done)
        draining = null
        resolve()
      }
      socket.on('drain', done).on('close', done)
    })
    return draining
  }

  return {
    /** Resolves when the socket takes more, or is gone; undefined when that is now. */
    drained,
    write(bytes: Buffer): Promise<void> | undefined {
      if (!socket.writable) return undefined
      socket.write(bytes)
      return drained()
    },
    /** Sends what is left, and the last word, and ends. */
    async end(lastWord: Buffer | null): Promise<void> {
      if (!socket.writable) return
      await new Promise<void>((resolve) => {
        const stalled = setTimeout(resolve, Math.min(stalledAfter, 1_000)).unref()
        socket.once('close', resolve)
        if (lastWord) socket.write(lastWord)
        socket.end(() => {
          clearTimeout(stalled)
          resolve()
        })
      })
    },
  }
}
