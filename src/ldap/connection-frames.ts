/** Larger responses are rejected as malformed. A group of a million members is about 64 MB. */
const largestFrame = 256 * 2 ** 20

/**
 * Cuts a byte stream into LDAP messages: BER sequences of definite length (RFC 4511 section 5.1).
 * Chunks are joined once per message, so a message of many chunks costs no more than its size.
 */
export const createFrameReader = (onFrame: (frame: Buffer) => void) => {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = 2

  return {
    /** @throws Error when the bytes are not an LDAP message; the stream cannot be used after that. */
    read(chunk: Buffer): void {
      chunks.push(chunk)
      held += chunk.length
      if (held < wanted) return
      const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, held)
      let start = 0
      for (;;) {
        const size = frameSize(bytes, start)
        wanted = size ?? 6
        if (size === null || bytes.length - start < size) break
        onFrame(bytes.subarray(start, start + size))
        start += size
      }
      held = bytes.length - start
      chunks = held === 0 ? [] : [bytes.subarray(start)]
    },
    /** Bytes of a message that has not arrived completely. */
    get held(): number {
      return held
    },
  }
}

/** Bytes of the message that starts there, header included; null while its header is not complete. */
const frameSize = (bytes: Buffer, start: number): number | null => {
  if (bytes.length - start < 2) return null
  if (bytes[start] !== 0x30) throw new Error('not an LDAP message')
  const first = bytes[start + 1] ?? 0
  if (first < 0x80) return 2 + first
  const digits = first & 0x7f
  if (digits === 0 || digits > 4) throw new Error('an LDAP message of no definite length')
  if (bytes.length - start < 2 + digits) return null
  const length = bytes.readUIntBE(start + 2, digits)
  if (length > largestFrame) throw new Error(`an LDAP message of ${length} bytes`)
  return 2 + digits + length
}
