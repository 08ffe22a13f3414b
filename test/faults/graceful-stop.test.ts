import { once } from 'node:events'
import { stat } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { unansweredRequests } from '../../src/contract/unanswered.ts'
import { stopGracefully } from '../../src/main/graceful-stop.ts'

// The stop of the HTTP server: what has arrived is answered.

/** Twenty clients that keep their connections, and send a request each at the moment that `at` chooses. */
const stopUnderLoad = async (t: Test, at: (send: () => void) => void) => {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  const unanswered = unansweredRequests()
  unanswered.watch(app.server)
  const isStopping = stopGracefully(app, unanswered)
  app.get('/', async () => (isStopping() ? 'stopping' : 'serving'))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect({ host: '127.0.0.1', port })
      const client = { socket, read: '', error: '' }
      socket.on('data', (chunk) => (client.read += chunk)).on('error', ({ message }) => (client.error = message))
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'data')
      return client
    }),
  )
  const ends = clients.map(({ socket }) => once(socket, 'close'))
  at(() => {
    for (const { socket } of clients) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  })
  const began = performance.now()
  await app.close()
  t.ok(performance.now() - began < 900, 'idle connections do not hold it up')
  await Promise.all(ends)
  for (const { read, error } of clients) {
    t.equal(error, '')
    t.match(read, /serving[\s\S]*connection: close[\s\S]*stopping$/i)
  }
}

t.test('a request that has arrived when the stop begins is answered', (t) => stopUnderLoad(t, (send) => send()))

t.test('so is one that arrives while the service has no time to read', (t) =>
  stopUnderLoad(t, (send) =>
    setTimeout(() => {
      // Where requests are read: timers that are due come next.
      stat('.', () => {
        send()
        const until = performance.now() + 200
        while (performance.now() < until);
      })
    }, 50),
  ),
)

t.test('an answer that its client is still reading is not cut off', async (t) => {
  const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  const unanswered = unansweredRequests()
  unanswered.watch(app.server)
  stopGracefully(app, unanswered)
  const text = 'a'.repeat(24_000_000)
  app.get('/', async () => text)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port })
  let read = 0
  socket.on('data', (chunk) => (read += chunk.length)).on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  const closed = app.close()
  // Node.js and Fastify close what they take for idle before that.
  setTimeout(() => socket.resume(), 500)
  await once(socket, 'close')
  await closed
  t.ok(read > text.length, `${read} bytes were read`)
})
