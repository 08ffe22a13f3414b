import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const newLine = 0x0a

/** The lines of a file that end with a line break; an incomplete last line is left out. */
export async function* completeLines(file: string): AsyncGenerator<string> {
  let pending: Buffer[] = []
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 18 }) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      pending = []
      start = end + 1
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
}

const linesPerWrite = 500

/** Writes a whole file and syncs it. */
export const writeLines = async (file: string, lines: Iterable<string>): Promise<void> => {
  const handle = await open(file, 'w', 0o600)
  try {
    let batch: string[] = []
    for (const line of lines) {
      batch.push(line)
      if (batch.length < linesPerWrite) continue
      await handle.appendFile(batch.join(''))
      batch = []
    }
    await handle.appendFile(batch.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes creations, renames and removals in a folder durable. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
