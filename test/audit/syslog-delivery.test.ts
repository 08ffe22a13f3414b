import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import t from 'tap'
import { openDelivery } from '../../src/audit/syslog/delivery.ts'

t.test('a receiver that goes on talking has not read everything', async (t) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const words = setInterval(() => socket.write('a'), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(words))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const settings = { host: '127.0.0.1', port, tls: null, appName: 'steward', facility: 13, maxBytes: 8192 }
  const delivery = await openDelivery(settings, new AbortController().signal, 800)
  t.teardown(() => delivery.drop())
  await delivery.send(Buffer.from('a message'))
  await t.rejects(delivery.receipt(), { message: /did not close the connection within 8 s/ })
})
