import { BackupFileError } from './file-error.ts'

/** Reads bytes from a stream in portions of given sizes. */
export interface ByteReader {
  /** @throws BackupFileError when the stream ends before */
  take(length: number): Promise<Buffer>
  /** Up to and with the first line feed. @throws BackupFileError unless that is within `longest` bytes */
  line(longest: number): Promise<Buffer>
  ended(): Promise<boolean>
}

export const byteReader = (source: AsyncIterable<Buffer>): ByteReader => {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  const more = async (): Promise<boolean> => {
    const next = await chunks.next()
    if (next.done) return false
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
    return true
  }
  const cut = (length: number): Buffer => {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  const take = async (length: number): Promise<Buffer> => {
    while (held.length < length) if (!(await more())) throw new BackupFileError('it ends too early')
    return cut(length)
  }

  return {
    take,
    async line(longest) {
      for (;;) {
        const end = held.subarray(0, longest).indexOf('\n')
        if (end >= 0) return cut(end + 1)
        if (held.length >= longest || !(await more())) throw new BackupFileError('it is not a backup of Steward')
      }
    },
    async ended() {
      while (held.length === 0) if (!(await more())) return true
      return false
    },
  }
}
