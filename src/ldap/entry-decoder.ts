import { Ber, ProtocolOperation } from 'ldapts'
import { contentStart, elementEnd } from './ber-element.ts'

/** Where the content of a SearchResultEntry (RFC 4511 section 4.5.2) lies in the bytes of its message. */
export interface EntryContent {
  frame: Buffer
  start: number
  end: number
}

/** How entries are decoded. */
export interface EntryShape<T> {
  begin: (dn: string) => T
  /** How an attribute is decoded, by its description in the server's spelling; null: its values are skipped. */
  attribute: (description: string) => AttributeShape<T> | null
}

export interface AttributeShape<T> {
  /** `text`: values as text, octets that are not UTF-8 as hex digits. `hex`: all values as hex digits (lower case). */
  form: 'text' | 'hex'
  add: (entry: T, values: string[]) => void
}

const octetString = Ber.OctetString
const sequence = Ber.Sequence | Ber.Constructor
const set = ProtocolOperation.LBER_SET

const beyondAscii = /[\x80-\xff]/

/** A piece of a message as text; `octets` is the whole of it, one character per octet. */
const textOf = (frame: Buffer, octets: string, from: number, to: number): string => {
  const text = octets.substring(from, to)
  return beyondAscii.test(text) ? frame.toString('utf8', from, to) : text
}

/** The values between `start` and `end`. */
const valuesOf = (frame: Buffer, octets: string, start: number, end: number, form: 'text' | 'hex'): string[] => {
  let values: string[] = []
  for (let at = start, next = at; at < end; at = next) {
    next = elementEnd(frame, at, octetString, end)
    const from = contentStart(frame, at)
    const value = form === 'text' ? textOf(frame, octets, from, next) : frame.toString('hex', from, next)
    // Most attributes have one value, and an array that was pushed to reserves room for seventeen.
    if (at === start) values = [value]
    else values.push(value)
  }
  return values
}

/**
 * Decodes an entry. Reading tens of thousands of entries spends its time here. So the whole message becomes one string,
 * and ASCII values are slices of it, which allocates little.
 * @throws Error when it is malformed
 */
export const decodeEntry = <T>({ frame, start, end }: EntryContent, { begin, attribute }: EntryShape<T>): T => {
  const octets = frame.toString('latin1')
  const dnEnd = elementEnd(frame, start, octetString, end)
  const entry = begin(textOf(frame, octets, contentStart(frame, start), dnEnd))
  const listEnd = elementEnd(frame, dnEnd, sequence, end)
  for (let at = contentStart(frame, dnEnd), next = at; at < listEnd; at = next) {
    next = elementEnd(frame, at, sequence, listEnd)
    const descriptionAt = contentStart(frame, at)
    const valuesAt = elementEnd(frame, descriptionAt, octetString, next)
    const valuesEnd = elementEnd(frame, valuesAt, set, next)
    const shape = attribute(textOf(frame, octets, contentStart(frame, descriptionAt), valuesAt))
    if (shape === null) continue
    const values = valuesOf(frame, octets, contentStart(frame, valuesAt), valuesEnd, shape.form)
    shape.add(entry, values)
  }
  return entry
}
