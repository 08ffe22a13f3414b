import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes: more than every authority that a system trusts. */
const most = 4 * 1024 ** 2

/**
 * The text of a file that a setting or an argument names. It may be a pipe; a device such as /dev/zero never ends, and would be
 * read until memory does.
 * @throws Error when it cannot be read, or is longer than 4 MiB
 */
export const readTextFile = (file: string): string => {
  const handle = openSync(file, 'r')
  try {
    const parts: Buffer[] = []
    let size = 0
    for (;;) {
      const part = Buffer.alloc(65_536)
      const length = readSync(handle, part)
      if (length === 0) return Buffer.concat(parts).toString('utf8')
      parts.push(part.subarray(0, length))
      size += length
      if (size > most) throw new Error(`${file} is longer than 4 MiB`)
    }
  } finally {
    closeSync(handle)
  }
}
