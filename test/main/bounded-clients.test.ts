import { EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { unansweredRequests } from '../../src/contract/unanswered.ts'
import { boundClients, maxClients } from '../../src/main/bounded-clients.ts'
import { type Activity, boundConnections } from '../../src/network/connection-limit.ts'
import { noLog } from '../../src/runtime/log.ts'
import { eventually } from '../eventually.ts'

const head = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const max = 8

/** A server that answers a request when it is told to. */
const bounded = async (t: Test, text = 'answered') => {
  const answers: (() => void)[] = []
  const lines: object[] = []
  const server = createServer((_request, response) => void answers.push(() => response.end(text)))
  const unanswered = unansweredRequests()
  const warn = (details: string | object): void => void lines.push(Object(details))
  unanswered.watch(server, boundClients(server, unanswered, { ...noLog, warn }, max))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clients: Socket[] = []
  t.teardown(() => {
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    server.close()
  })
  const client = async (localAddress = '127.0.0.1', text = ''): Promise<Socket> => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    clients.push(socket)
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return socket.resume()
  }
  return { client, answers, lines }
}

t.test('who sends nothing keeps no one out', async (t) => {
  const { client, lines } = await bounded(t)
  const silent: Socket[] = []
  for (let number = 0; number < 3 * max; number += 1) silent.push(await client())
  await eventually(() => silent.filter((each) => each.destroyed).length === 2 * max, 'the oldest are closed')
  t.notOk(silent.at(-1)?.destroyed, 'the newest is served')
  t.match(lines, [{ most: max, address: /^127/ }], 'and the log says it, once')
})

t.test('an address with few connections loses none to one with many', async (t) => {
  const { client, answers } = await bounded(t)
  const other = await client('127.0.0.2')
  for (let number = 0; number < 3 * max; number += 1) await client('127.0.0.1', 'POST / HTTP/1.1\r\nHost: a\r\n')
  other.write(head)
  await eventually(() => answers.length === 1, 'its request is read')
  const answered = once(other, 'data')
  answers[0]?.()
  t.match(String(await answered), /answered/)
})

t.test('no one who waits for an answer is cut off: the new one is', async (t) => {
  const { client, answers } = await bounded(t)
  const waiting: Socket[] = []
  for (let number = 0; number < max; number += 1) waiting.push(await client('127.0.0.1', head))
  await eventually(() => answers.length === max, 'all requests are read')
  const refused = await client()
  await eventually(() => refused.destroyed, 'there is no place')
  t.notOk(waiting.some((each) => each.destroyed))
  const answered = Promise.all(waiting.map((each) => once(each, 'data')))
  for (const answer of answers) answer()
  t.match(String(await answered), /answered/)
})

t.test('what has no use goes before what is still arriving, and what was used last goes last', async (t) => {
  const { client, answers } = await bounded(t)
  const upload = await client('127.0.0.1', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1')
  const often = await client('127.0.0.1', head)
  await eventually(() => answers.length === 2, 'both requests are read')
  const idle: Socket[] = []
  for (let number = 2; number < max; number += 1) idle.push(await client())
  const answered = once(often, 'data')
  answers[1]?.()
  await answered
  for (let number = 2; number < max; number += 1) await client()
  await eventually(() => idle.every((each) => each.destroyed), 'those that were idle are closed')
  t.notOk(often.destroyed, 'the one that was used after they came is not')
  await client()
  await client()
  upload.write('2')
  const read = once(upload, 'data')
  answers[0]?.()
  t.match(String(await read), /answered/)
})

t.test('answers that one address does not read keep out no other', async (t) => {
  const { client, answers } = await bounded(t, 'a'.repeat(32_000_000))
  const unread: Socket[] = []
  for (let number = 0; number < max; number += 1) unread.push((await client('127.0.0.2', head)).pause())
  await eventually(() => answers.length === max, 'all requests are read')
  for (const answer of answers) answer()
  const again = await client('127.0.0.2')
  await eventually(() => again.destroyed, 'there is no place for one more of that address')
  t.notOk(unread.some((each) => each.destroyed))
  const other = await client('127.0.0.1', head)
  await eventually(() => answers.length === max + 1, 'the request of another one is read')
  t.notOk(other.destroyed)
})

t.test('a request that arrives together with too many connections is answered', async (t) => {
  const { client, answers } = await bounded(t)
  const idle: Socket[] = []
  for (let number = 0; number < max; number += 1) idle.push(await client())
  // All of them are in the queue of the system when this process reads it.
  const newcomers = [1, 2, 3].map(() => client())
  idle[0]?.write(head)
  await Promise.all(newcomers)
  await eventually(() => answers.length === 1 && idle.filter((each) => each.destroyed).length === 3, 'three are closed')
  const answered = once(idle[0] as Socket, 'data')
  answers[0]?.()
  t.match(String(await answered), /answered/)
})

t.test('a flood does not have all connections looked at for each that comes', async (t) => {
  const server = new EventEmitter()
  const many = 2000
  let looks = 0
  let activity: Activity = 'answering'
  const activityOf = (): Activity => {
    looks += 1
    return activity
  }
  const used = boundConnections(server as unknown as Pick<Server, 'on'>, { max: many, activityOf })
  const closed: object[] = []
  const come = (): object => {
    const destroy = (): void => void closed.push(socket)
    const socket = Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1', destroy })
    server.emit('connection', socket)
    used(socket as unknown as Socket)
    return socket
  }
  for (let number = 0; number < many; number += 1) come()
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  looks = 0
  for (let number = 0; number < 10; number += 1) come()
  await turns()
  t.ok(looks < 2000, `${looks} looks for 10`)
  t.equal(closed.length, 0, 'all are being answered')
  activity = 'arriving'
  looks = 0
  for (let number = 0; number < 10; number += 1) come()
  await turns()
  t.equal(closed.length, 20, 'the bound holds')
  t.ok(looks < 2000, `${looks} looks for 10`)
})

t.test('the number leaves files for everything else', async (t) => {
  t.equal(maxClients(1024), 256)
  t.equal(maxClients(1_048_576), 10_000)
  t.equal(maxClients(null), 10_000)
})
