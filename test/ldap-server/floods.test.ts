import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Client } from 'ldapts'
import t, { type Test } from 'tap'
import { octetString, sequence } from '../../src/ldap-server/protocol/ber.ts'
import { MessageFrames } from '../../src/ldap-server/protocol/framing.ts'
import { eventually, settled } from '../eventually.ts'
import { identity, testEmbeddedDirectory } from './embedded-directory.ts'
import {
  bindRequest,
  control,
  controls,
  equalFilter,
  message,
  presentFilter,
  type RawConnection,
  rawConnection,
  searchEntryTag,
  searchRequest,
  sortKeyList,
  whoAmIRequest,
} from './raw-connection.ts'

// What one client sends may neither fill the memory nor keep others from their answers.

const { baseDn, bindDn, bindPassword } = identity
const busy = 51

const rootOf = async (t: Test, { url }: { url: string }): Promise<Client> => {
  const client = new Client({ url, timeout: 20_000 })
  t.teardown(() => client.unbind())
  await client.bind(bindDn, bindPassword)
  return client
}

const addPeople = async (root: Client, count: number): Promise<void> => {
  for (let at = 0; at < count; at += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, count - at) }, (_, index) =>
        root.add(`uid=u${at + index},${baseDn}`, {
          ...{ objectClass: 'inetOrgPerson', cn: 'x', sn: 'x', uid: `u${at + index}` },
          ...(at + index < 3 && { userPassword: 'x' }),
        }),
      ),
    )
  }
}

const bound = async (t: Test, { port }: { port: number }, uid: string): Promise<RawConnection> => {
  const connection = await rawConnection(t, port)
  connection.send(message(1, bindRequest(`uid=${uid},${baseDn}`, 'x')))
  t.match(await connection.answerTo(1), { code: 0 })
  return connection
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory in use of what is not garbage, MiB. */
const used = (): number => {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

t.test('many requests for a large entry are answered one by one to a client that does not read', async (t) => {
  const directory = await testEmbeddedDirectory(t)
  const root = await rootOf(t, directory)
  await addPeople(root, 1)
  const group = `cn=all,${baseDn}`
  const member = times(20_000, (index) => `uid=member${index},ou=people,${baseDn}`)
  await root.add(group, { objectClass: 'groupOfNames', member })
  member.length = 0
  const connections = await Promise.all(times(4, () => bound(t, directory, 'u0')))
  const before = used()
  for (const { socket, send } of connections) {
    socket.pause()
    send(...times(60, (index) => message(index + 2, searchRequest(group, presentFilter('cn'), 0))))
  }
  const buffered = await settled(() => used() - before, 'what is buffered')
  // One answer has 1 MiB, and all that are under way at a time 64.
  t.ok(buffered < 20, `${Math.round(buffered)} MiB`)
  const [first] = connections
  first?.socket.resume()
  await first?.answerTo(61)
  t.equal(first?.answers.filter(({ tag }) => tag === searchEntryTag).length, 60, 'all are answered where they are read')
})

t.test('a few searches of one name are sorted at a time, and those of others meanwhile', async (t) => {
  const directory = await testEmbeddedDirectory(t, { limits: { sorts: 4, sortsOfOne: 1, sortsWaiting: 3 } })
  await addPeople(await rootOf(t, directory), 3_000)
  const sorted = (id: number): Buffer =>
    message(
      id,
      searchRequest(baseDn, presentFilter('uid'), 2, sequence(octetString('1.1'))),
      controls(control(sortKeyList, true, sequence(sequence(octetString('uid'))))),
    )
  const [many, one] = [await bound(t, directory, 'u0'), await bound(t, directory, 'u1')]
  many.send(...times(10, (index) => sorted(index + 2)))
  await eventually(() => many.answers.some(({ code }) => code === busy), 'more than may wait are refused')
  one.send(sorted(2))
  t.match(await one.answerTo(2), { code: 0 })
  t.equal(one.answers.length, 3_002)
  const codes = (await Promise.all(times(10, (index) => many.answerTo(index + 2)))).map(({ code }) => code)
  t.same(codes, [0, 0, 0, 0, busy, busy, busy, busy, busy, busy])
})

t.test('requests without a bind do not delay the binds of others', async (t) => {
  const directory = await testEmbeddedDirectory(t)
  await addPeople(await rootOf(t, directory), 1)
  const slow = equalFilter('seeAlso', times(1_900, () => 'cn=\\61').join(','))
  const flood = await Promise.all(times(60, () => rawConnection(t, directory.port)))
  const each = 40
  for (const { send } of flood) send(...times(each, (index) => message(index + 1, searchRequest('', slow, 0))))
  const answered = (): number => flood.reduce((sum, { answers }) => sum + answers.length, 0)
  await eventually(() => answered() > 0, 'the flood is being answered')
  const before = answered()
  await bound(t, directory, 'u0')
  const meanwhile = answered() - before
  // A turn of each of the 60 for the bind, and some for the bytes on their way.
  t.ok(meanwhile < (60 * each) / 4, `${meanwhile} of ${60 * each} were answered before the bind`)

  const refused = await rawConnection(t, directory.port)
  refused.send(message(1, searchRequest(baseDn, Buffer.from('a0', 'hex'))))
  t.match(await refused.answerTo(1), { code: 50 }, 'the filter of what may not be searched is not even read')
})

t.test('what a client has sent is not carried out when it has gone', async (t) => {
  let tries = 0
  const directory = await testEmbeddedDirectory(t, {
    verify: async () => {
      tries += 1
      await delay(50)
      return false
    },
  })
  const gone = await rawConnection(t, directory.port)
  gone.send(...times(10, (index) => message(index + 1, bindRequest(`uid=ann,${baseDn}`, 'x'))))
  await eventually(() => tries > 0, 'the first is being tried')
  gone.socket.resetAndDestroy()
  // Time is what is tested: the others would take half a second.
  await delay(1_000)
  t.ok(tries < 4, `${tries} of 10 were tried`)
})

t.test('an address that connects again and again ends its own connections, not those of others', async (t) => {
  const directory = await testEmbeddedDirectory(t, { limits: { connections: 8 } })
  const others = await Promise.all(['127.0.0.3', '127.0.0.4'].map((from) => rawConnection(t, directory.port, from)))
  const flood: RawConnection[] = []
  for (let count = 0; count < 40; count += 1) flood.push(await rawConnection(t, directory.port, '127.0.0.2'))
  for (const other of others) {
    other.send(message(1, whoAmIRequest))
    t.match(await other.answerTo(1), { code: 0 })
  }
  await Promise.all(flood.slice(0, 34).map(({ closed }) => closed))
  flood.at(-1)?.send(message(1, whoAmIRequest))
  t.match(await flood.at(-1)?.answerTo(1), { code: 0 }, 'the newest of it is served')
})

t.test('a client that has gone counts as no address of this machine', async (t) => {
  const addresses: string[] = []
  const directory = await testEmbeddedDirectory(t, {
    throttleBind: async ({ address }, check) => {
      addresses.push(address)
      return check()
    },
  })
  const bytes = message(1, bindRequest(`uid=ann,${baseDn}`, 'guess')).toString('hex')
  const script = `
    const socket = require('node:net').connect({ port: ${directory.port}, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.once('connect', () => socket.write(Buffer.from('${bytes}', 'hex'), () => socket.resetAndDestroy()))`
  // This process accepts nothing until that one has ended.
  for (let count = 0; count < 5; count += 1) execFileSync(process.execPath, ['-e', script])
  const later = await rawConnection(t, directory.port, '127.0.0.5')
  later.send(message(1, bindRequest(`uid=ann,${baseDn}`, 'guess')))
  t.match(await later.answerTo(1), { code: 49 })
  t.same(addresses, ['127.0.0.5'])
})

t.test('a message that comes byte by byte takes little more memory than its bytes', async (t) => {
  const frames = times(10, () => new MessageFrames(() => 2 ** 20))
  const header = Buffer.from('308300ffff', 'hex')
  const before = used()
  for (const each of frames) {
    t.same([...each.push(header)], [])
    // As a socket gives them: each in memory of its own.
    for (let at = 0; at < 65_534; at += 1) for (const _ of each.push(Buffer.alloc(1, at & 0xff))) t.fail('too early')
  }
  const growth = used() - before
  t.ok(growth < 10, `${growth.toFixed(1)} MiB for 0.6`)
  for (const each of frames) {
    const [whole] = each.push(Buffer.alloc(1, 0xfe))
    t.equal(whole?.length, 65_540)
    t.ok(whole?.subarray(5).every((byte, at) => byte === (at & 0xff)))
  }
})
