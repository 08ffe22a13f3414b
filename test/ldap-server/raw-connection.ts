import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import { BerReader, element, enumerated, integer, octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { MessageFrames } from '../../src/ldap-server/protocol/framing.ts'
import { eventually } from '../eventually.ts'

/** What a message of the server says: to which request, of what kind, and with what result code. */
export interface RawAnswer {
  id: number
  tag: number
  /** Null in a search entry. */
  code: number | null
  text: string
  /** The whole message. */
  bytes: Buffer
}

export const noticeTag = 0x78
export const bindResponseTag = 0x61
export const searchEntryTag = 0x64

const flag = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]))

export const message = (id: number, operation: Buffer, ...more: Buffer[]): Buffer =>
  sequence(integer(id), operation, ...more)

export const bindRequest = (dn: string, password: string, version = 3): Buffer =>
  element(0x60, integer(version), octetString(dn), octetString(password, 0x80))

export const presentFilter = (attribute: string): Buffer => octetString(attribute, 0x87)

export const searchRequest = (
  base: string,
  filter: Buffer = presentFilter('objectClass'),
  scope = 2,
  attributes: Buffer = sequence(),
): Buffer =>
  element(
    0x63,
    ...[octetString(base), enumerated(scope), enumerated(0), integer(0), integer(0), flag(false)],
    ...[filter, attributes],
  )

export const equalFilter = (attribute: string, value: string): Buffer =>
  element(0xa3, octetString(attribute), octetString(value))

/** @param pieces each with its tag: initial 0x80, any 0x81, final 0x82 */
export const substringsFilter = (attribute: string, ...pieces: Buffer[]): Buffer =>
  element(0xa4, octetString(attribute), sequence(...pieces))

export const notFilter = (filter: Buffer): Buffer => element(0xa2, filter)

export const control = (oid: string, critical: boolean, value?: Buffer): Buffer =>
  sequence(octetString(oid), flag(critical), ...(value === undefined ? [] : [octetString(value)]))

export const controls = (...each: Buffer[]): Buffer => element(0xa0, ...each)

export const pagedResults = '1.2.840.113556.1.4.319'
export const sortKeyList = '1.2.840.113556.1.4.473'

export const extendedRequest = (oid: string, value?: Buffer): Buffer =>
  element(0x77, octetString(oid, 0x80), ...(value === undefined ? [] : [octetString(value, 0x81)]))

export const whoAmIRequest = element(0x77, octetString('1.3.6.1.4.1.4203.1.11.3', 0x80))

const readAnswer = (bytes: Buffer): RawAnswer => {
  const reader = new BerReader(bytes).sequence()
  const id = reader.integer()
  const { tag, content } = reader.element()
  if (tag === searchEntryTag) return { id, tag, code: null, text: new BerReader(content).text(), bytes }
  const result = new BerReader(content)
  const code = result.integer(0x0a)
  result.text()
  return { id, tag, code, text: result.text(), bytes }
}

export interface RawConnection {
  socket: Socket
  answers: RawAnswer[]
  send(...bytes: Uint8Array[]): void
  /** Waits for the answer that ends the request of that id. */
  answerTo(id: number): Promise<RawAnswer>
  /** Waits until the server ends the connection. */
  closed: Promise<void>
}

/** A connection that sends bytes, and reads the responses of the server; from an address of this machine. */
export const rawConnection = async (t: Test, port: number, localAddress = '127.0.0.1'): Promise<RawConnection> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  t.teardown(() => socket.destroy())
  const answers: RawAnswer[] = []
  const frames = new MessageFrames(() => 2 ** 26)
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of frames.push(chunk)) answers.push(readAnswer(bytes))
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(() => {})
  return {
    socket,
    answers,
    send: (...bytes) => void socket.write(Buffer.concat(bytes)),
    answerTo(id) {
      const find = () => answers.find((each) => each.id === id && each.tag !== searchEntryTag)
      return eventually(find, `the answer to message ${id}`)
    },
    closed,
  }
}
