import { StringDecoder } from 'node:string_decoder'
import { BackupFileError } from './file-error.ts'

/** UTF-8 text line by line, as many at a time as have arrived. @throws BackupFileError when the last one has no end */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let begun: string[] = []
  for await (const chunk of source) {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    begun.push(first)
    const rest = others.pop()
    if (rest === undefined) continue
    yield [begun.join(''), ...others]
    begun = [rest]
  }
  if (begun.join('') !== '' || decoder.end() !== '') throw new BackupFileError('its last line has no end')
}
