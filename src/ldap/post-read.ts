import { Ber, type BerWriter, Control, ProtocolOperation } from 'ldapts'
import { contentStart, elementEnd } from './ber-element.ts'
import { decodeEntry } from './entry-decoder.ts'

export const postReadOid = '1.3.6.1.1.13.2'

/**
 * Post-read control, RFC 4527: the server returns an attribute of the entry as it is after the write. It is not
 * critical: servers that do not know it write all the same.
 */
export class PostReadControl extends Control {
  readonly attribute: string
  constructor(attribute: string) {
    super(postReadOid, { critical: false })
    this.attribute = attribute
  }
  override writeControl(writer: BerWriter): void {
    writer.startSequence(Ber.OctetString)
    writer.startSequence()
    writer.writeString(this.attribute, Ber.OctetString)
    writer.endSequence()
    writer.endSequence()
  }
}

/** @returns the first value of the attribute in the response control; null: it has none, or is malformed */
export const postReadValue = (control: Buffer | undefined, attribute: string): string | null => {
  if (control === undefined) return null
  try {
    const end = elementEnd(control, 0, ProtocolOperation.LDAP_RES_SEARCH_ENTRY, control.length)
    const content = { frame: control, start: contentStart(control, 0), end }
    const read = decodeEntry<{ value: string | null }>(content, {
      begin: () => ({ value: null }),
      attribute: (description) =>
        description.toLowerCase() === attribute.toLowerCase()
          ? {
              form: 'text',
              add: (entry, values) => {
                entry.value = values[0] ?? null
              },
            }
          : null,
    })
    return read.value
  } catch {
    return null
  }
}
