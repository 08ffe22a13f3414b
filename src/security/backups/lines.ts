import { BackupFileError } from './file-error.ts'

export const lineFeed = 0x0a

/** Whole lines, each with its end, as many at a time as have arrived. @throws BackupFileError when the last one has no end */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
      begun = []
    }
    if (end < chunk.length) begun.push(chunk.subarray(end))
  }
  if (begun.length > 0) throw new BackupFileError('its last line has no end')
}

export const countLines = (lines: Buffer): number => {
  let count = 0
  for (let end = lines.indexOf(lineFeed); end >= 0; end = lines.indexOf(lineFeed, end + 1)) count += 1
  return count
}
