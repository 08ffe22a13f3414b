import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Teardown } from '../database.ts'

/** What a webhook's receiver was posted. */
export interface Posted {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/** A receiver's server on loopback. */
export interface Receiver {
  url: string
  posted: Posted[]
  /** How the next request is answered: an HTTP status, or not at all. Assignable. */
  answers: number | 'nothing'
  /** The server does not listen any more. */
  close(): Promise<void>
}

export const startReceiver = async (t: Teardown): Promise<Receiver> => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      receiver.posted.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      if (receiver.answers === 'nothing') return
      response.writeHead(receiver.answers, { location: `${receiver.url}/elsewhere` }).end('ignored')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    posted: [],
    answers: 204,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  t.teardown(() => receiver.close())
  return receiver
}
