import type { resultCodes } from '../../ldap/result-code.ts'
import type { Attribute } from '../entries/entry.ts'
import type { ResultCode } from '../result.ts'
import type { Value } from '../value.ts'
import { element, enumerated, headerSize, integer, octetString, sequence, tag, writeHeader } from './ber.ts'

/** The result of an operation (RFC 4511 section 4.1.9). */
export interface Result {
  code: ResultCode
  message?: string
  matchedDn?: string
  /** The name and the value of an extended response. */
  name?: string
  value?: string | Buffer
  controls?: readonly Buffer[]
  /** The connection ends after this answer, for this reason. Absent: it goes on. */
  disconnectReason?: string
}

const entryTag = 0x64
const extendedResponseTag = 0x78
const responseNameTag = 0x8a
const responseValueTag = 0x8b
const controlsTag = 0xa0
const noticeOfDisconnectionOid = '1.3.6.1.4.1.1466.20036'

export const encodeResult = (id: number, responseTag: number, result: Result): Buffer =>
  sequence(
    integer(id),
    element(
      responseTag,
      enumerated(result.code),
      octetString(result.matchedDn ?? ''),
      octetString(result.message ?? ''),
      ...(result.name === undefined ? [] : [octetString(result.name, responseNameTag)]),
      ...(result.value === undefined ? [] : [octetString(result.value, responseValueTag)]),
    ),
    ...(result.controls && result.controls.length > 0 ? [element(controlsTag, ...result.controls)] : []),
  )

/** The values of an attribute, written into one buffer: a group may have 100,000 members. */
const setOf = (values: readonly Value[]): Buffer => {
  const lengths = values.map((value) => Buffer.byteLength(value))
  const content = lengths.reduce((sum, length) => sum + headerSize(length) + length, 0)
  const bytes = Buffer.allocUnsafe(headerSize(content) + content)
  let at = writeHeader(bytes, 0, tag.set, content)
  values.forEach((value, index) => {
    at = writeHeader(bytes, at, tag.octetString, lengths[index] ?? 0)
    at += typeof value === 'string' ? bytes.write(value, at) : value.copy(bytes, at)
  })
  return bytes
}

export const encodeEntry = (id: number, ...entry: Parameters<typeof entryElement>): Buffer =>
  sequence(integer(id), entryElement(...entry))

/** The same without the message around it. */
export const entryElement = (
  dn: string,
  attributes: Iterable<Attribute>,
  { typesOnly }: { typesOnly: boolean },
): Buffer => {
  const encoded = Array.from(attributes, ({ name, values }) =>
    sequence(octetString(name), typesOnly ? element(tag.set) : setOf([...values.values()])),
  )
  return element(entryTag, octetString(dn), sequence(...encoded))
}

/** The unsolicited message before the server ends a connection (RFC 4511 section 4.4.1). */
export const encodeNoticeOfDisconnection = (
  code: typeof resultCodes.protocolError | typeof resultCodes.unavailable | typeof resultCodes.strongerAuthRequired,
  message: string,
): Buffer =>
  sequence(
    integer(0),
    element(
      extendedResponseTag,
      enumerated(code),
      octetString(''),
      octetString(message),
      octetString(noticeOfDisconnectionOid, responseNameTag),
    ),
  )
