import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { unansweredRequests } from '../../src/contract/unanswered.ts'
import { closeUnread } from '../../src/main/unread-responses.ts'
import { eventually } from '../eventually.ts'

/** More than the buffers of both sides hold. */
const large = Buffer.alloc(30_000_000, 'x')
const timeout = 300
/** Milliseconds; longer than that. */
const idle = 1000

/** Sends one request to a server with this answer, and does not read. */
const asked = async (t: Test, answer: RequestListener): Promise<{ client: Socket; served: Socket }> => {
  const server = createServer({ keepAliveTimeout: idle }, answer)
  const unanswered = unansweredRequests()
  unanswered.watch(server)
  closeUnread(server, unanswered, timeout)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  t.teardown(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const connected = once(server, 'connection')
  client.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [served] = (await connected) as [Socket]
  return { client, served }
}

t.test('a client that does not read is not waited for', async (t) => {
  const { served } = await asked(t, (_request, response) => void response.end(large))
  await eventually(() => served.destroyed, 'the connection is closed')
})

t.test('one that reads slowly gets all of it', async (t) => {
  const { client } = await asked(t, (_request, response) => void response.end(large))
  let read = 0
  client.on('data', async ({ length }) => {
    read += length
    client.pause()
    await delay(2)
    client.resume()
  })
  client.resume()
  await eventually(() => read >= large.length, 'it has arrived')
})

t.test('nor does the time that an answer takes count', async (t) => {
  const { client } = await asked(t, async (_request, response) => {
    await delay(3 * timeout)
    response.write('a')
    await delay(3 * timeout)
    response.end('b')
  })
  let text = ''
  client.on('data', (chunk) => {
    text += String(chunk)
  })
  client.resume()
  await eventually(() => text.endsWith('0\r\n\r\n'), 'it has arrived')
})

t.test('a connection on which nothing is asked is kept for as long as others, and then closed', async (t) => {
  const { client, served } = await asked(t, (_request, response) => void response.end('a'))
  client.resume()
  await delay(2 * timeout)
  t.notOk(served.destroyed)
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await delay(2 * timeout)
  t.notOk(served.destroyed)
  await eventually(() => served.destroyed, 'it is closed')
})
