const longForm = 0x80

/** Where the content of the element at `at` begins. Lengths are of the definite form (RFC 4511 section 5.1). */
export const contentStart = (frame: Buffer, at: number): number => {
  const first = frame[at + 1] ?? 0
  return first < longForm ? at + 2 : at + 2 + (first & 0x7f)
}

/** Where the element at `at` ends. @throws Error when its tag is not `tag`, or it goes beyond `limit` */
export const elementEnd = (frame: Buffer, at: number, tag: number, limit: number): number => {
  const start = contentStart(frame, at)
  const first = frame[at + 1] ?? 0
  if (at + 2 > limit || start > limit || frame[at] !== tag || first === longForm || first > longForm + 4) {
    throw new Error('a malformed LDAP message')
  }
  const end = start + (first < longForm ? first : frame.readUIntBE(at + 2, start - at - 2))
  if (end > limit) throw new Error('an incomplete LDAP message')
  return end
}
