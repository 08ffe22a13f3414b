import { isUtf8 } from 'node:buffer'

/** The bytes are not what BER, or LDAP's use of it (RFC 4511 section 5.1), allows here. */
export class BerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BerError'
  }
}

export const tag = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
} as const

export interface Header {
  tag: number
  /** Bytes of tag and length. */
  size: number
  /** Bytes of the content. */
  length: number
}

/**
 * The tag and length at `offset`, or null while bytes of them are missing.
 * @throws BerError for tags above 30, indefinite lengths, and lengths of more than four bytes: LDAP uses none of these
 */
export const readHeader = (bytes: Buffer, offset: number): Header | null => {
  const identifier = bytes[offset]
  const first = bytes[offset + 1]
  if (identifier !== undefined && (identifier & 0x1f) === 0x1f) throw new BerError('a tag of more than one byte')
  if (identifier === undefined || first === undefined) return null
  if (first < 0x80) return { tag: identifier, size: 2, length: first }
  const count = first - 0x80
  if (count === 0) throw new BerError('an indefinite length')
  if (count > 4) throw new BerError('a length of more than four bytes')
  if (bytes.length < offset + 2 + count) return null
  return { tag: identifier, size: 2 + count, length: bytes.readUIntBE(offset + 2, count) }
}

/** Reads the elements of one constructed value in order; never outside of its bytes. */
export class BerReader {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#offset >= this.#bytes.length
  }

  /** The tag of the next element, or null at the end. */
  get next(): number | null {
    return this.#bytes[this.#offset] ?? null
  }

  /** The next element, whatever its tag. */
  element(): { tag: number; content: Buffer } {
    const header = readHeader(this.#bytes, this.#offset)
    const start = this.#offset + (header?.size ?? 0)
    if (header === null || start + header.length > this.#bytes.length) throw new BerError('an element is cut short')
    this.#offset = start + header.length
    return { tag: header.tag, content: this.#bytes.subarray(start, this.#offset) }
  }

  octets(expected: number = tag.octetString): Buffer {
    if (this.next !== expected) throw new BerError(`expected tag ${expected}, found ${this.next ?? 'the end'}`)
    return this.element().content
  }

  sequence(expected: number = tag.sequence): BerReader {
    return new BerReader(this.octets(expected))
  }

  text(expected: number = tag.octetString): string {
    const octets = this.octets(expected)
    if (!isUtf8(octets)) throw new BerError('a string is not UTF-8')
    return octets.toString('utf8')
  }

  integer(expected: number = tag.integer): number {
    const octets = this.octets(expected)
    if (octets.length < 1 || octets.length > 4) throw new BerError('an integer is not of one to four bytes')
    return octets.readIntBE(0, octets.length)
  }

  boolean(expected: number = tag.boolean): boolean {
    const octets = this.octets(expected)
    if (octets.length !== 1) throw new BerError('a boolean is not of one byte')
    return octets[0] !== 0
  }
}

/** Bytes of the length after its first byte: zero below 0x80. */
const lengthBytes = (length: number): number =>
  length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4

/** Bytes of tag and length before content of that length. */
export const headerSize = (length: number): number => 2 + lengthBytes(length)

/** @returns where the content begins */
export const writeHeader = (bytes: Buffer, at: number, identifier: number, length: number): number => {
  const count = lengthBytes(length)
  bytes[at] = identifier
  bytes[at + 1] = count === 0 ? length : 0x80 + count
  if (count > 0) bytes.writeUIntBE(length, at + 2, count)
  return at + 2 + count
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0)

/** One element whose content is the parts in order. */
export const element = (identifier: number, ...parts: readonly Uint8Array[]): Buffer => {
  const length = lengthOf(parts)
  const header = Buffer.allocUnsafe(headerSize(length))
  writeHeader(header, 0, identifier, length)
  return Buffer.concat([header, ...parts], header.length + length)
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(tag.sequence, ...parts)

export const octetString = (value: string | Buffer, identifier: number = tag.octetString): Buffer =>
  element(identifier, typeof value === 'string' ? Buffer.from(value) : value)

export const integer = (value: number, identifier: number = tag.integer): Buffer => {
  const count = value >= -0x80 && value < 0x80 ? 1 : value >= -0x8000 && value < 0x8000 ? 2 : 4
  const content = Buffer.allocUnsafe(count)
  content.writeIntBE(value, 0, count)
  return element(identifier, content)
}

export const enumerated = (value: number): Buffer => integer(value, tag.enumerated)
