import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { Test } from 'tap'
import { createFrameReader } from '../../src/ldap/connection-frames.ts'

/** A way to a directory on which changes, or searches, can be held. */
export interface Gate {
  url: string
  /** From now on so many of them pass, and the others wait. */
  letPass(count: number): void
  /** How many wait. */
  waiting(): number
}

/** modify, add, delete and modify DN; search (RFC 4511, section 4.2) */
const operations = { changes: [0x66, 0x68, 0x4a, 0x6c], searches: [0x63] } as const

/** The tag of the operation: it follows the number of the message. */
const operationOf = (frame: Buffer): number | undefined => {
  const short = frame.readUInt8(1)
  const start = 2 + (short > 0x7f ? short & 0x7f : 0)
  return frame[start + 2 + frame.readUInt8(start + 1)]
}

/**
 * Stands before the directory at `url` until the test ends. Everything passes at first.
 * @param about what the DNs of the changes that count begin with: the mirror makes others too, such as those by which it
 *   tries how the server behaves
 * @param what what is held
 */
export const ldapGate = async (
  t: Pick<Test, 'teardown'>,
  url: string,
  about: string,
  what: keyof typeof operations = 'changes',
): Promise<Gate> => {
  const counted: readonly number[] = operations[what]
  const { hostname, port } = new URL(url)
  let left = Number.POSITIVE_INFINITY
  let held: (() => void)[] = []
  const server = createServer((client) => {
    const directory = connect(Number(port), hostname)
    const requests = createFrameReader((frame) => {
      const pass = (): void => void directory.write(frame)
      if (!counted.includes(operationOf(frame) ?? 0) || !frame.includes(about)) return pass()
      if (left <= 0) return void held.push(pass)
      left--
      pass()
    })
    client.on('data', (chunk) => requests.read(chunk))
    directory.on('data', (chunk) => void client.write(chunk))
    const end = (): void => {
      client.destroy()
      directory.destroy()
    }
    for (const side of [client, directory]) side.on('error', end).on('close', end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return {
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => held.length,
    letPass(count) {
      const passing = held.slice(0, count)
      held = held.slice(count)
      left = count - passing.length
      for (const pass of passing) pass()
    },
  }
}
