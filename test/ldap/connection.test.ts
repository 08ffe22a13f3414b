import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { SearchRequest } from 'ldapts'
import t, { type Test } from 'tap'
import { createConnection } from '../../src/ldap/connection.ts'
import { present } from '../../src/ldap/filter.ts'

/** Responses to the first request of a connection: an entry without attributes, and a reference. */
const responses = {
  entry: Buffer.from('\x30\x0c\x02\x01\x01\x64\x07\x04\x03o=x\x30\0', 'latin1'),
  reference: Buffer.from('\x30\x0d\x02\x01\x01\x73\x08\x04\x06ldap:/', 'latin1'),
}

/** A connection to a server that answers a request with these bytes again and again, without an end. */
const endless = async (t: Test, response: Buffer) => {
  const chunk = Buffer.concat(Array.from({ length: 4000 }, () => response))
  const server = createServer((socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket
      .on('error', () => {})
      .on('drain', more)
      .once('data', more)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const connection = createConnection(socket, 60_000)
  t.teardown(() => connection.close())
  return connection
}

const search = (messageId: number) =>
  new SearchRequest({ messageId, baseDN: 'o=x', scope: 'sub', filter: present('objectClass'), attributes: ['*'] })

t.test('an answer that does not end is given up before it fills the memory', async (t) => {
  for (const [kind, response] of Object.entries(responses)) {
    const connection = await endless(t, response)
    let entries = 0
    const answer = connection.request(search, () => {
      entries += 1
    })
    await t.rejects(answer, { kind: 'unavailable', message: /with more than 536870912 bytes/ }, kind)
    t.equal(entries > 0, kind === 'entry')
    t.notOk(connection.alive)
  }
})
