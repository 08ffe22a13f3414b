import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { ByteReader } from './byte-reader.ts'
import { BackupFileError } from './file-error.ts'

/**
 * The content after the first line: frames of 4 bytes (the length of the payload, the highest bit set in the last one),
 * the payload under AES-256-GCM, and a tag of 16 bytes. The nonce is the frame's number; the tag also authenticates the
 * first line and the length. So frames that were altered, moved, removed, or cut off at the end cannot be opened.
 */

const algorithm = 'aes-256-gcm'
const headLength = 4
const tagLength = 16
const last = 0x8000_0000
/** The least payload of every frame but the last: a file cannot have many frames that cost more than they contain. */
const frameSize = 256 * 1024
/** A reader buffers one frame. The writer ends one at `frameSize`, plus one chunk of compressed data at most. */
const largestFrame = 1024 * 1024

interface Sealing {
  key: Buffer
  /** The first line of the file. */
  header: Buffer
}

const nonce = (index: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(index, 8)
  return bytes
}

/** The first line, then the frames. */
export async function* sealFrames(source: AsyncIterable<Buffer>, { key, header }: Sealing): AsyncGenerator<Buffer> {
  let index = 0
  const seal = (plain: Buffer, isLast: boolean): Buffer => {
    const head = Buffer.alloc(headLength)
    head.writeUInt32BE((isLast ? last : 0) + plain.length)
    const cipher = createCipheriv(algorithm, key, nonce(index)).setAAD(Buffer.concat([header, head]))
    index += 1
    return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  yield header
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    size += chunk.length
    if (size < frameSize) continue
    yield seal(Buffer.concat(waiting), false)
    waiting = []
    size = 0
  }
  yield seal(Buffer.concat(waiting), true)
}

/**
 * The payload of the frames; each is returned only after its tag was checked.
 * @throws BackupFileError naming the frame that cannot be opened
 */
export async function* openFrames(bytes: ByteReader, { key, header }: Sealing): AsyncGenerator<Buffer> {
  for (let index = 0; ; index++) {
    const head = await bytes.take(headLength)
    const word = head.readUInt32BE()
    const length = word % last
    if (length > largestFrame || (word < last && length < frameSize)) throw altered(index)
    const sealed = await bytes.take(length)
    const tag = await bytes.take(tagLength)
    const decipher = createDecipheriv(algorithm, key, nonce(index), { authTagLength: tagLength })
      .setAAD(Buffer.concat([header, head]))
      .setAuthTag(tag)
    const plain = decipher.update(sealed)
    try {
      decipher.final()
    } catch (error) {
      throw altered(index, error)
    }
    if (word >= last && !(await bytes.ended())) throw new BackupFileError('it contains data after its end')
    yield plain
    if (word >= last) return
  }
}

const altered = (index: number, cause?: unknown): BackupFileError =>
  new BackupFileError(`it is damaged: frame ${index + 1} was changed`, { cause })
