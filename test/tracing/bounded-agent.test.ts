import { once } from 'node:events'
import { type Agent, createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { boundedAgent } from '../../src/tracing/bounded-agent.ts'
import { eventually } from '../eventually.ts'

const timeout = 500

const collector = async (t: Test, answer: RequestListener) => {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, answer).on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = boundedAgent('http:', timeout) as Agent
  t.teardown(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const post = (): Promise<string> =>
    new Promise((resolve) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
        response.on('error', () => resolve('cut off')).on('end', () => resolve('answered'))
        response.resume()
      })
      sent.on('error', () => resolve('cut off')).end('spans')
    })
  return { post, open: () => sockets.size, connections: () => connections }
}

t.test('a collector that never comes to an end keeps no connection', async (t) => {
  const words: NodeJS.Timeout[] = []
  t.teardown(() => words.forEach(clearInterval))
  const { post, open } = await collector(t, (_request, response) => {
    response.writeHead(200)
    words.push(setInterval(() => response.write('and more'), 50))
  })
  t.same(await Promise.all([post(), post()]), ['cut off', 'cut off'])
  await eventually(() => open() === 0, 'they are closed')
})

t.test('one connection serves many exports, for longer than one may take', async (t) => {
  const { post, connections } = await collector(t, (_request, response) => void response.end('taken'))
  for (let number = 0; number < 15; number += 1) {
    t.equal(await post(), 'answered')
    await delay(timeout / 5)
  }
  t.equal(connections(), 1)
})
