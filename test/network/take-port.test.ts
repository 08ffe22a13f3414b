import { once } from 'node:events'
import { type AddressInfo, connect, Server } from 'node:net'
import t from 'tap'
import { takePort } from '../../src/network/take-port.ts'

t.test('who connects meanwhile does not keep it from closing', async (t) => {
  const taken = await takePort('127.0.0.1', 0)
  if (!(taken instanceof Server)) throw taken
  const { port } = taken.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.on('error', () => {})
  await once(client, 'connect')
  const closed = once(client, 'close')
  await new Promise((resolve) => taken.close(resolve))
  await closed
})

t.test('a port that another has', async (t) => {
  const taken = await takePort('127.0.0.1', 0)
  if (!(taken instanceof Server)) throw taken
  const { port } = taken.address() as AddressInfo
  t.match(await takePort('127.0.0.1', port), { code: 'EADDRINUSE' })
  await new Promise((resolve) => taken.close(resolve))
})
