import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { unansweredRequests } from '../../src/contract/unanswered.ts'
import { eventually } from '../eventually.ts'

const requestOf = (path: number): string => `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** A server that tells which requests it has begun, and a client of it. */
const serving = async (t: Test): Promise<{ client: Socket; begun: string[]; responses: ServerResponse[] }> => {
  const begun: string[] = []
  const responses: ServerResponse[] = []
  const unanswered = unansweredRequests()
  const server = createServer((request, response) =>
    unanswered.inTurn(request, response, () => {
      begun.push(request.url ?? '')
      responses.push(response)
    }),
  )
  unanswered.watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.setEncoding('utf8')
  t.teardown(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { client, begun, responses }
}

t.test('requests that are sent at once on one connection begin one after the other', async (t) => {
  const { client, begun, responses } = await serving(t)
  client.write(requestOf(1) + requestOf(2) + requestOf(3))
  let said = ''
  client.on('data', (text: string) => (said += text))
  for (const number of [1, 2, 3]) {
    await eventually(() => begun.length === number, `request ${number} begins`)
    // A later one that had begun as well would be there by then.
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(begun.length, number, 'alone')
    responses[number - 1]?.end(`answer ${number}`)
  }
  await eventually(() => said.includes('answer 3'), 'the last answer')
  t.strictSame(begun, ['/1', '/2', '/3'])
  t.match(said, /answer 1.*answer 2.*answer 3/s)
})

t.test('nothing begins behind an answer that closes the connection', async (t) => {
  const { client, begun, responses } = await serving(t)
  const closed = once(client, 'close')
  client.resume()
  client.write(requestOf(1) + requestOf(2) + requestOf(3))
  await eventually(() => begun.length === 1, 'the first one begins')
  responses[0]?.setHeader('connection', 'close').end()
  await closed
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.strictSame(begun, ['/1'], 'its client sends the others again elsewhere')
})

t.test('a client that sends very many is cut off, and they do not begin', async (t) => {
  const { client, begun } = await serving(t)
  const closed = once(client, 'close')
  client.resume()
  for (let number = 1; number <= 100; number += 1) client.write(requestOf(number))
  await closed
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.strictSame(begun, ['/1'])
})
