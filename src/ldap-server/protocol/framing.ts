import { BerError, readHeader, tag } from './ber.ts'

const longestHeader = 6
/** Bytes up to which chunks are joined. */
const maxJoined = 16_384

/** Splits a connection's bytes into LDAP messages, without copying earlier chunks again for every new one. */
export class MessageFrames {
  readonly #limit: () => number
  #chunks: Buffer[] = []
  #length = 0
  /** Total bytes of the current message; null before its header is complete. */
  #wanted: number | null = null

  /** @param limit bytes one message may have, called for each message */
  constructor(limit: () => number) {
    this.#limit = limit
  }

  /** Whether a message has begun and is not complete. */
  get partial(): boolean {
    return this.#length > 0
  }

  /**
   * The messages that are complete with this chunk.
   * @throws BerError for bytes that cannot be a message, as early as possible
   */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#append(chunk)
    this.#length += chunk.length
    for (;;) {
      this.#wanted ??= this.#readWanted()
      if (this.#wanted === null || this.#length < this.#wanted) return
      const bytes = this.#joined()
      const message = bytes.subarray(0, this.#wanted)
      const rest = bytes.subarray(this.#wanted)
      this.#chunks = rest.length > 0 ? [rest] : []
      this.#length = rest.length
      this.#wanted = null
      yield message
    }
  }

  /** Joins small chunks, each byte a few times at most: as a chunk of its own one byte takes some 500. */
  #append(chunk: Buffer): void {
    let last = chunk
    for (;;) {
      const before = this.#chunks.at(-1)
      if (before === undefined || before.length > last.length || before.length + last.length > maxJoined) break
      this.#chunks.pop()
      last = Buffer.concat([before, last])
    }
    this.#chunks.push(last)
  }

  #joined(): Buffer {
    const [first] = this.#chunks
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#length)
  }

  #readWanted(): number | null {
    if (this.#length === 0) return null
    // Chunks are joined here only while a header arrives byte by byte.
    const [first] = this.#chunks
    const start = first && first.length >= longestHeader ? first : this.#joined()
    if (start[0] !== tag.sequence) throw new BerError('not an LDAP message')
    const header = readHeader(start, 0)
    if (header === null) return null
    const wanted = header.size + header.length
    const limit = this.#limit()
    if (wanted > limit) throw new BerError(`a message of more than ${limit} bytes`)
    return wanted
  }
}
