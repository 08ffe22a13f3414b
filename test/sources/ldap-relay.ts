import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { BerWriter } from 'ldapts'
import type { Test } from 'tap'
import { createFrameReader } from '../../src/ldap/connection-frames.ts'

/** Looks at messages between a client and a server, and changes them. What it throws ends the connection. */
export interface Relay {
  /** The answers to give instead of asking the server; null: ask it. */
  onRequest?: (frame: Buffer) => Buffer[] | null
  /** The message to hand on. */
  onAnswer?: (frame: Buffer) => Buffer
}

/** Stands between a client and the server at `url`, until the test ends. @returns the URL to connect to */
export const ldapRelay = async (t: Pick<Test, 'teardown'>, url: string, relay: Relay): Promise<string> => {
  const { hostname, port } = new URL(url)
  const relayServer = createServer((client) => {
    const server = connect(Number(port), hostname)
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    const requests = createFrameReader((frame) => {
      const answers = relay.onRequest?.(frame) ?? null
      if (answers === null) server.write(frame)
      else for (const answer of answers) client.write(answer)
    })
    const answers = createFrameReader((frame) => void client.write(relay.onAnswer?.(frame) ?? frame))
    client.on('data', (chunk) => requests.read(chunk))
    server.on('data', (chunk) => answers.read(chunk))
    for (const side of [client, server]) side.on('error', end).on('close', end)
  }).listen(0, '127.0.0.1')
  await once(relayServer, 'listening')
  t.teardown(() => relayServer.close())
  const address = relayServer.address()
  return `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** SearchResultDone (RFC 4511 section 4.5.2) without any page to come. */
export const searchDone = (messageId: number, code: number, words: string): Buffer => {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(messageId)
  writer.startSequence(0x65)
  writer.writeEnumeration(code)
  writer.writeString('')
  writer.writeString(words)
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

/** An entry as a message; values as octets in hex. */
export const searchEntry = (messageId: number, dn: string, attributes: [string, string[]][]): Buffer => {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(messageId)
  writer.startSequence(0x64)
  writer.writeString(dn)
  writer.startSequence()
  for (const [description, values] of attributes) {
    writer.startSequence()
    writer.writeString(description)
    writer.startSequence(0x31)
    for (const value of values) writer.writeBuffer(Buffer.from(value, 'hex'), 0x04)
    writer.endSequence()
    writer.endSequence()
  }
  writer.endSequence()
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}
