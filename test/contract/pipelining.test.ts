import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { person } from '../people/console.ts'
import { steward } from '../steward.ts'

t.test('what is no request is answered after the requests before it', async (t) => {
  const s = await steward(t, { directory: 'none' })
  await s.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = s.app.server.address() as AddressInfo
  /** The HTTP statuses and the bodies of all responses, until the service closes the connection. */
  const exchange = async (sent: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    const said = await text(socket)
    return { statuses: [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)), said }
  }
  const head = (line: string) => `${line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${s.token}\r\n`
  const list = `${head('GET /api/user/list')}\r\n`
  const body = JSON.stringify({ ...person('in-a-line'), roleIds: [], departmentId: [] })
  const json = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const add = `${head('POST /api/user/add')}${json}\r\n${body}`
  const garbage = 'GARBAGE\r\n\r\n'

  t.same((await exchange(list + garbage)).statuses, [200, 400])
  t.same((await exchange(list + list + garbage)).statuses, [200, 200, 400])
  const added = await exchange(add + garbage)
  t.same(added.statuses, [200, 400])
  t.match(added.said, /"code":0.*not an HTTP request/s, 'it is known that it was carried out')
  t.match(JSON.stringify(await s.take('listUsers')), /in-a-line/)

  const chunked = `${head('POST /api/user/add')}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`
  t.same((await exchange(chunked)).statuses, [400], 'at once, where it is its own body that cannot be read')
  t.same((await exchange(list + chunked)).statuses, [200, 400])
  t.same((await exchange(garbage + garbage)).statuses, [400])
})
