/**
 * MD4 (RFC 1320). It is broken and used for nothing but NT hashes, which are defined by it. OpenSSL 3 has it in its legacy
 * provider only, which Node.js does not load.
 */
export const md4 = (message: Uint8Array): Buffer => {
  const words = padded(message)
  let [a, b, c, d] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let start = 0; start < words.length; start += 16) {
    const before = [a, b, c, d] as const
    for (const { mix, added, places, shifts } of rounds) {
      for (const [index, place] of places.entries()) {
        const sum = (a + mix(b, c, d) + (words[start + place] ?? 0) + added) | 0
        const shift = shifts[index % 4] ?? 0
        ;[a, d, c, b] = [d, c, b, (sum << shift) | (sum >>> (32 - shift))]
      }
    }
    ;[a, b, c, d] = [(a + before[0]) | 0, (b + before[1]) | 0, (c + before[2]) | 0, (d + before[3]) | 0]
  }
  const digest = Buffer.alloc(16)
  for (const [index, word] of [a, b, c, d].entries()) digest.writeInt32LE(word | 0, index * 4)
  return digest
}

/** The three rounds of section 3.4: a function, a constant, the order of the words, and the rotations. */
const rounds = [
  {
    mix: (x: number, y: number, z: number): number => (x & y) | (~x & z),
    added: 0,
    places: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (x: number, y: number, z: number): number => (x & y) | (x & z) | (y & z),
    added: 0x5a827999,
    places: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (x: number, y: number, z: number): number => x ^ y ^ z,
    added: 0x6ed9eba1,
    places: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
]

/** The message with a 1 bit, zeros, and its length in bits, as words (sections 3.1 and 3.2). */
const padded = (message: Uint8Array): Int32Array => {
  const bytes = Buffer.alloc(((message.length + 8) >> 6) * 64 + 64)
  bytes.set(message)
  bytes[message.length] = 0x80
  bytes.writeBigUInt64LE(BigInt(message.length) * 8n, bytes.length - 8)
  return Int32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32LE(index * 4))
}
