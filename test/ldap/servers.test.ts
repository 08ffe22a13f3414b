import t from 'tap'
import type { Connection } from '../../src/ldap/connection.ts'
import { DirectoryError } from '../../src/ldap/directory-error.ts'
import { openServers, type Servers } from '../../src/ldap/servers.ts'
import { silent } from '../database.ts'

// Which server is used, decided without a server: which of them can be reached is said by the test.

interface World {
  servers: Servers
  /** Those that can be reached now. */
  up: Set<string>
  /** The URLs of connections that were opened and not closed. */
  open: string[]
  /** How often the current server was changed. */
  switches: () => number
  time: { now: number }
}

const world = (t: { teardown(run: () => void): void }, returnInterval = 2 ** 30): World => {
  const up = new Set(['a', 'b', 'c'])
  const open: string[] = []
  const time = { now: 0 }
  let switches = 0
  const connect = async (url: string): Promise<Connection> => {
    await new Promise(setImmediate)
    if (!up.has(url)) throw new DirectoryError('unavailable', `no ${url}`)
    open.push(url)
    return { close: () => void open.splice(open.indexOf(url), 1) } as Connection
  }
  const servers = openServers({
    urls: ['a', 'b', 'c'],
    connect,
    canReplace: async (preferred) => up.has(preferred),
    switched: () => switches++,
    log: silent,
    returnInterval,
    now: () => time.now,
  })
  t.teardown(() => servers.close())
  return { servers, up, open, switches: () => switches, time }
}

t.test('the first server that can be reached is used, in their order', async (t) => {
  const { servers, up, switches } = world(t)
  await servers.open()
  t.equal(servers.current(), 'a')
  up.delete('a')
  up.delete('b')
  await servers.open()
  t.equal(servers.current(), 'c')
  t.equal(switches(), 1)
})

t.test('two who connect at once end up on one server, whichever they tried', async (t) => {
  const { servers, up, open, switches } = world(t)
  up.delete('a')
  const both = Promise.all([servers.open(), servers.open(), servers.open()])
  up.add('a')
  await both
  t.equal(switches(), 0)
  t.strictSame(open, ['a', 'a', 'a'])
  up.delete('a')
  await Promise.all([servers.open(), servers.open(), servers.open()])
  t.equal(switches(), 1)
  t.strictSame(open, ['a', 'a', 'a', 'b', 'b', 'b'])
})

t.test('where none can be reached, the error has the reason of each, and the current one stays', async (t) => {
  const { servers, up, switches } = world(t)
  up.clear()
  await t.rejects(servers.open(), { kind: 'unavailable', message: 'no a; no b; no c' })
  t.equal(servers.current(), 'a')
  t.equal(switches(), 0)
})

t.test('a server that was left comes last, until its time is over', async (t) => {
  const { servers, up, time } = world(t, 1000)
  t.ok(servers.leave('it accepts no changes'))
  t.equal(servers.current(), 'b')
  up.delete('b')
  await servers.open()
  t.equal(servers.current(), 'c', 'a can be reached, and is not asked')
  up.delete('c')
  await servers.open()
  t.equal(servers.current(), 'a', 'better than none')
  t.ok(servers.leave('still not'))
  t.ok(servers.leave('neither does this'))
  t.notOk(servers.leave('nor this'), 'all of them were left')
  time.now = 2001
  t.ok(servers.leave('still not'))
})
