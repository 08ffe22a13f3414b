import { Ber, BerReader, ProtocolOperation } from 'ldapts'
import { contentStart, elementEnd } from './ber-element.ts'
import type { EntryContent } from './entry-decoder.ts'
import type { Outcome } from './result-code.ts'

/** The response that ends an operation, with the references that came before it. */
export interface LdapResponse extends Outcome {
  /** Where the server says that the rest is to be looked for (RFC 4511 section 4.5.3), as URLs. */
  references: string[]
  /** Of an extended operation (RFC 4511 section 4.12). */
  value: Buffer | null
  /** Values of the response controls, by OID. */
  controls: ReadonlyMap<string, Buffer>
}

export type Incoming = { messageId: number } & (
  | { kind: 'entry'; content: EntryContent }
  | { kind: 'reference'; urls: string[] }
  | { kind: 'end'; response: Omit<LdapResponse, 'references'> }
)

const entryTag = ProtocolOperation.LDAP_RES_SEARCH_ENTRY
const controlsTag = ProtocolOperation.LDAP_CONTROLS
const referralTag = 0xa3
const extendedValueTag = 0x8b

const present = <T>(value: T | null): T => {
  if (value === null) throw new Error('an incomplete LDAP message')
  return value
}

/** Where the element that starts at the reader's position ends; the reader is left at its content. */
const enter = (reader: BerReader, tag?: number): number => {
  present(reader.readSequence(tag))
  const end = reader.offset + reader.length
  if (end > reader.buffer.length) throw new Error('an incomplete LDAP message')
  return end
}

/**
 * Decodes one message from a server (RFC 4511 section 4.1.1). An entry is only located, not decoded.
 * @throws Error when it is malformed
 */
export const decodeMessage = (frame: Buffer): Incoming => {
  const idAt = contentStart(frame, 0)
  const at = elementEnd(frame, idAt, Ber.Integer, frame.length)
  const idStart = contentStart(frame, idAt)
  const messageId = frame.readUIntBE(idStart, at - idStart)
  // Tens of thousands of entries arrive: a reader for each one would double the time.
  if (frame[at] === entryTag) {
    const end = elementEnd(frame, at, entryTag, frame.length)
    return { messageId, kind: 'entry', content: { frame, start: contentStart(frame, at), end } }
  }

  const reader = new BerReader(frame)
  reader.offset = at
  const tag = present(reader.peek())
  const end = enter(reader)
  if (tag === ProtocolOperation.LDAP_RES_SEARCH_REF) {
    const urls: string[] = []
    while (reader.offset < end) urls.push(present(reader.readString()))
    return { messageId, kind: 'reference', urls }
  }

  const code = present(reader.readEnumeration())
  present(reader.readString())
  const message = present(reader.readString())
  let value: Buffer | null = null
  const referrals: string[] = []
  while (reader.offset < end) {
    const part = present(reader.peek())
    const partEnd = enter(reader)
    if (part === extendedValueTag) value = frame.subarray(reader.offset, partEnd)
    if (part === referralTag) while (reader.offset < partEnd) referrals.push(present(reader.readString()))
    reader.offset = partEnd
  }
  return { messageId, kind: 'end', response: { code, message, referrals, value, controls: readControls(reader) } }
}

const readControls = (reader: BerReader): Map<string, Buffer> => {
  const controls = new Map<string, Buffer>()
  if (reader.peek() !== controlsTag) return controls
  const end = enter(reader)
  while (reader.offset < end) {
    const controlEnd = enter(reader)
    const oid = present(reader.readString())
    if (reader.offset < controlEnd && reader.peek() === Ber.Boolean) reader.readBoolean()
    controls.set(oid, reader.offset < controlEnd ? present(reader.readString(Ber.OctetString, true)) : Buffer.alloc(0))
    reader.offset = controlEnd
  }
  return controls
}
