import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t, { type Test } from 'tap'
import { tryCollector } from '../../src/tracing/try-collector.ts'

/** The settings for a collector that says this, and then one more word again and again. */
const talkative = async (t: Test, begins: string, word: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write(begins)
    const words = setInterval(() => socket.write(word), 50)
    socket.resume().once('close', () => clearInterval(words))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return { url, headers: {}, serviceName: 'steward', sampler: 'always_on', ratio: 1 } as const
}

t.test('a trial ends with a collector that never comes to the end of its answer', { timeout: 20_000 }, async (t) => {
  const status = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  await t.resolves(tryCollector(await talkative(t, status, '1\r\n \r\n'), 500), 'it has said that it takes them')
})

t.test('and with one that never says whether it takes them', { timeout: 20_000 }, async (t) => {
  await t.rejects(tryCollector(await talkative(t, 'HTTP/1.1 200 OK\r\n', 'x-more: a\r\n'), 500))
})
