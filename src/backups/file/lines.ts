import { BackupFileError } from './file-error.ts'
import { sizeText } from './size-text.ts'

export const lineFeed = 0x0a

/** The first byte of a line that is not a row (see manifest.ts). */
export const headStart = 0x5b

/**
 * Whole lines, each with its line feed, as many at a time as have arrived. A reader buffers one line and one chunk.
 * @param longest bytes of a line
 * @throws BackupFileError for a longer line, and when the last one has no line feed
 */
export async function* linesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(lineFeed) + 1
    const isTooLong = length + (end > 0 ? chunk.indexOf(lineFeed) + 1 : chunk.length) > longest
    if (isTooLong) throw new BackupFileError(`a line in it is longer than ${sizeText(longest)}`)
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
      begun = []
      length = 0
    }
    if (end < chunk.length) begun.push(chunk.subarray(end))
    length += chunk.length - end
  }
  if (begun.length > 0) throw new BackupFileError('its last line is incomplete')
}

export const countLines = (lines: Buffer): number => {
  let count = 0
  for (let end = lines.indexOf(lineFeed); end >= 0; end = lines.indexOf(lineFeed, end + 1)) count += 1
  return count
}
