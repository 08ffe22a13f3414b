import type { Socket } from 'node:net'

/** Writes to a socket no faster than its reader reads; a reader that stops reading is disconnected. */
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

  const write = (bytes: Buffer): Promise<void> | undefined => {
    if (!socket.writable) return undefined
    socket.write(bytes)
    return drained()
  }

  const afterOthers = async (make: () => Buffer): Promise<void> => {
    // Each that waits looks again: the first of them may have filled the buffer.
    for (let waiting = drained(); waiting; waiting = drained()) await waiting
    await write(make())
  }

  return {
    /** Resolves when the socket accepts more, or is closed; undefined when it accepts more now. */
    drained,
    /** Writes at once, whatever the socket has to send still: for what is small. */
    write,
    /** Makes and writes the bytes when the socket accepts more: however many write at one time, one is buffered. */
    writeInTurn: (make: () => Buffer): Promise<void> | undefined => (drained() ? afterOthers(make) : write(make())),
    /** Sends the rest and the last message, and ends the socket. */
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
