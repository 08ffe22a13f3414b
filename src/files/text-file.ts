import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'

/** Bytes: more than every authority that a system trusts. */
const max = 4 * 1024 ** 2
/** Milliseconds in which a pipe has to say something, or end: a program that asks a store of secrets may take a while. */
const defaultTimeout = 15_000
/** Milliseconds between two looks at a pipe. */
const pollInterval = 20

// Windows does not have it, and has no such pipes.
const { O_RDONLY, O_NONBLOCK = 0 } = constants

/**
 * The text of a file that a setting or an argument names. It may be a pipe; a device such as /dev/zero never ends, and would be
 * read until memory does.
 * @throws Error when it cannot be read, is longer than 4 MiB, or is a pipe that nothing is written to or that does not end
 */
export const readTextFile = (file: string, timeout = defaultTimeout): string => {
  const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true
  // Opening a pipe waits for a writer, and reading it for the last one to close it: for ever, where that does not come.
  const handle = openSync(file, isPipe ? O_RDONLY | O_NONBLOCK : O_RDONLY)
  const read = isPipe ? pipeReader(file, timeout) : readSync
  try {
    const parts: Buffer[] = []
    let size = 0
    for (;;) {
      const part = Buffer.alloc(65_536)
      const length = read(handle, part)
      if (length === 0) return Buffer.concat(parts).toString('utf8')
      parts.push(part.subarray(0, length))
      size += length
      if (size > max) throw new Error(`${file} is longer than 4 MiB`)
    }
  } finally {
    closeSync(handle)
  }
}

/** Reads as `readSync` does from a pipe that blocks, but only for so long. */
const pipeReader = (file: string, timeout: number): ((handle: number, into: Buffer) => number) => {
  let hasBegun = false
  return (handle, into) => {
    const deadline = performance.now() + timeout
    for (;;) {
      const length = readWhatIsThere(handle, into)
      // Before the first byte no writer may have opened it yet; after it the last one has closed it.
      if (length !== null && (length > 0 || hasBegun)) {
        hasBegun = true
        return length
      }
      if (performance.now() > deadline) {
        const problem = hasBegun ? 'a program keeps it open' : 'nothing was written to it'
        throw new Error(`${file} is a pipe, and ${problem} for ${timeout / 1000} s`)
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollInterval)
    }
  }
}

/** null: nothing, but a program that may write has it open. 0: no such program. */
const readWhatIsThere = (handle: number, into: Buffer): number | null => {
  try {
    return readSync(handle, into)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null
    throw error
  }
}
