/** One attribute type and value of an RDN; the value is plain text, nothing escaped. */
export interface Ava {
  type: string
  value: string
}
/** The AVAs of one naming level, in the order they were written; more than one is rare (`cn=a+sn=b`). */
export type Rdn = Ava[]
/** From the entry's own RDN up to the root. The empty DN is `[]`. */
export type Dn = Rdn[]

/** The text is not a distinguished name, or has a value that a DN cannot hold. */
export class DnSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DnSyntaxError'
  }
}

const typePattern = /(?:oid\.)?([a-z][a-z\d-]*|\d+(?:\.\d+)*)\s*=[ \n]*/iy
const rawPattern = /[^\\,;+"<>]+/y
const hexPattern = /(?:\\[\da-f]{2})+/iy
const berPattern = /#((?:[\da-f]{2})+)/iy
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a distinguished name in the form of RFC 4514. It also accepts what the RFC's predecessors wrote: quoted values,
 * `;` between RDNs, spaces around separators, `OID.` before numbers.
 * @throws DnSyntaxError with the position
 */
export const parseDn = (text: string): Dn => {
  if (text.trim() === '') return []
  const dn: Dn = [[]]
  let position = 0

  const fail = (what: string): never => {
    throw new DnSyntaxError(`Not a distinguished name: ${what} at character ${position + 1} of ${JSON.stringify(text)}`)
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found) position += found[0].length
    return found
  }
  const decode = (hex: string): string => {
    try {
      return utf8.decode(Buffer.from(hex, 'hex'))
    } catch {
      return fail('bytes that are not UTF-8 before')
    }
  }
  /** After a backslash: one special character, or hex pairs that together are UTF-8. */
  const escaped = (): string => {
    const pairs = match(hexPattern)
    if (pairs) return decode(pairs[0].replaceAll('\\', ''))
    const character = text[position + 1] ?? fail('nothing after the backslash')
    if (!' "#+,;<=>\\'.includes(character)) fail('an unknown escape')
    position += 2
    return character
  }
  const quoted = (): string => {
    let value = ''
    position++
    while (text[position] !== '"') {
      if (position >= text.length) fail('a missing closing quote')
      value += text[position] === '\\' ? escaped() : text[position++]
    }
    position++
    return value
  }
  const string = (): string => {
    let value = ''
    for (;;) {
      const raw = match(rawPattern)
      if (raw) {
        value += raw[0]
      } else if (text[position] === '\\') {
        value += escaped()
        // An escaped space belongs to the value; only unescaped spaces after it may be dropped.
        if (match(/[ \n]*(?=[,;+]|$)/y)) return value
      } else {
        return withoutTrailingSpace(value)
      }
    }
  }

  while (position < text.length) {
    match(/[ \n]*/y)
    const type = match(typePattern)?.[1] ?? fail('no attribute type')
    const ber = match(berPattern)
    const value = ber ? fromBer(ber[1] ?? '', fail) : text[position] === '"' ? quoted() : string()
    match(/[ \n]*/y)
    dn.at(-1)?.push({ type, value })
    if (position === text.length) return dn
    const separator = text[position] ?? ''
    if (!',;+'.includes(separator)) fail(`an unescaped ${separator}`)
    if (separator !== '+') dn.push([])
    position++
  }
  return fail('no attribute type')
}

/** X.690 tags whose content is text: UTF8String, OctetString, PrintableString, IA5String. */
const textTags = new Set([0x0c, 0x04, 0x13, 0x16])

/** RFC 4514 section 2.4: `#` and the BER encoding in hex. Only text can be a name here. */
const fromBer = (hex: string, fail: (what: string) => never): string => {
  const bytes = Buffer.from(hex, 'hex')
  const length = bytes[1] ?? 0
  const header = length < 0x80 ? 2 : 2 + (length & 0x7f)
  const size = length < 0x80 ? length : Number.parseInt(bytes.subarray(2, header).toString('hex') || '0', 16)
  if (!textTags.has(bytes[0] ?? 0) || bytes.length !== header + size) fail('a #value that is no text before')
  try {
    return utf8.decode(bytes.subarray(header))
  } catch {
    return fail('bytes that are not UTF-8 before')
  }
}

/** Not a pattern ending in `$`: on a long run of spaces inside the value that takes quadratic time. */
const withoutTrailingSpace = (value: string): string => {
  let end = value.length
  while (end > 0 && ' \n'.includes(value[end - 1] ?? '')) end--
  return value.slice(0, end)
}
