import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { AnsweredRequest, Journal } from '../../src/contract/journal.ts'
import { touchedIds } from '../../src/contract/touched-ids.ts'
import { eventually } from '../eventually.ts'
import { refusals } from './refusals.ts'
import { admitted, principal, type Service, type ServiceOptions, service, tokenOf } from './service.ts'

/** A service whose journal is a list. */
const noted = async (
  t: Parameters<typeof service>[0],
  options: ServiceOptions = {},
  admits: Journal['admits'] = () => true,
) => {
  const notes: AnsweredRequest[] = []
  const journal: Journal = { covers: (id) => id !== 'ping', admits, note: (request) => notes.push(request) }
  return { ...(await service(t, { ...options, journal })), notes }
}

t.test('an answered request is noted with who asked, what for, and what it came to', async (t) => {
  const before = Date.now()
  const { call, notes } = await noted(t, {
    handlers: {
      addBook: async () => {
        // Time is what is tested: the note says how much it took.
        await sleep(30)
        return { id: 12 }
      },
    },
  })
  await call('addBook', { token: 'user7', body: { title: 'Emma', status: 1 }, headers: { 'user-agent': 'console' } })
  const [note] = notes
  t.match(note, {
    method: 'POST',
    path: '/books',
    summary: 'Add a book',
    username: 'user7',
    address: '127.0.0.1',
    userAgent: 'console',
    code: 0,
    ids: [12],
  })
  t.ok(note && note.milliseconds >= 29 && note.milliseconds < 5000)
  t.ok(note && note.startedAt.getTime() >= before && note.startedAt.getTime() <= Date.now() - 29)
  t.equal(notes.length, 1)
})

t.test('paths are noted as the documents write them, of every document, below BASE_PATH too', async (t) => {
  const { app, notes } = await noted(t, { config: { basePath: '/steward' } })
  const headers = { authorization: 'Bearer user1' }
  await app.inject({ url: '/steward/api/shelves/3/tree?secret=1', headers })
  await app.inject({ url: '/steward/api/v1/loans/loans', headers })
  await app.inject({ url: '/steward/api/nothing/here?secret=1', headers })
  await app.inject({ url: '/steward/api/v1/loans/nothing?secret=1', method: 'PUT', headers })
  await app.inject({ url: '/steward/api/%zz?secret=1', headers })
  await app.inject({ url: '/steward/docs' })
  await app.inject({ url: '/elsewhere' })
  t.match(
    notes.map(({ method, path, code, ids }) => [method, path, code, ids]),
    [
      ['GET', '/shelves/{id}/tree', 0, [3]],
      ['GET', '/v1/loans/loans', 200, { length: 0 }],
      ['GET', '/nothing/here', 404, { length: 0 }],
      ['PUT', '/v1/loans/nothing', 404, { length: 0 }],
      ['GET', '/%zz', 400, { length: 0 }],
    ],
  )
  t.equal(notes.length, 5)
})

t.test('refusals are noted once each, with what is known', async (t) => {
  const { app, call, notes } = await noted(t, {
    authenticate: async (credential, _operation, { onIdentified: identified }) => {
      const token = tokenOf(credential)
      if (token === null) throw refusals.sign_in()
      identified(principal(7))
      if (token === 'weak') throw refusals.not_granted()
      return admitted(7)
    },
    handlers: {
      syncBooks: async () => {
        throw refusals.taken.at('ids.1')
      },
      cleanBooks: async () => {
        throw new Error('a bug')
      },
    },
  })
  await call('addBook', { body: { title: 'Emma' } })
  await call('addBook', { token: 'weak', body: { title: 'Emma' } })
  await call('addBook', { token: 'good', body: { title: 7 } })
  await app.inject({ url: '/api/books', method: 'POST', headers: { authorization: 'Bearer good' }, body: 'text' })
  await call('syncBooks', { token: 'good', body: { ids: [3, 4] } })
  await call('cleanBooks', { token: 'good' })
  for (let i = 0; i < 3; i++) await call('flood', { token: 'good' })
  await call('ping')
  t.same(
    notes.map(({ path, code, username, ids }) => `${path} ${code} ${username} ${ids}`),
    [
      '/books 401  ',
      '/books 403 user7 ',
      '/books 400 user7 ',
      '/books 415 user7 ',
      '/books/sync 409 user7 3,4',
      '/books 500 user7 ',
      '/flood 0 user7 ',
      '/flood 0 user7 ',
      '/flood 429  ',
    ],
  )
})

t.test('a public operation is noted with the user its handler found', async (t) => {
  const { call, notes } = await noted(t, {
    handlers: {
      login: async ({ body, request }: { body: { name: string }; request: { identify(name: string): void } }) => {
        if (body.name === 'ada') request.identify('ada')
        throw refusals.sign_in()
      },
    },
  })
  await call('login', { body: { name: 'ada' } })
  await call('login', { body: { name: 'my password' } })
  t.same(
    notes.map(({ username }) => username),
    ['ada', ''],
  )
})

t.test('the address is the one that TRUST_PROXY makes it', async (t) => {
  for (const [trustProxy, forwarded, address] of [
    [false, '198.51.100.9', '127.0.0.1'],
    [true, '198.51.100.9', '198.51.100.9'],
    [1, '203.0.113.1, 198.51.100.9:50123', '198.51.100.9'],
    [1, '[2001:db8::1]:50123', '2001:db8::1'],
    [1, '[2001:db8::1]', '2001:db8::1'],
  ] as const) {
    const { call, notes } = await noted(t, { config: { trustProxy } })
    await call('listBooks', { headers: { 'x-forwarded-for': forwarded } })
    t.equal(notes[0]?.address, address)
  }
})

t.test('a caller who hangs up before the answer is noted as well', async (t) => {
  let started = () => {}
  const underWay = new Promise<void>((resolve) => {
    started = resolve
  })
  let leave = () => {}
  const gone = new Promise<void>((resolve) => {
    leave = resolve
  })
  const { app, notes } = await noted(t, {
    handlers: {
      cleanBooks: async () => {
        started()
        await gone
        return null
      },
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  app.server.once('request', (raw) => raw.once('close', leave))
  socket.write('DELETE /api/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer user1\r\n\r\n')
  await underWay
  socket.destroy()
  await eventually(() => notes.length > 0, 'the note')
  t.match(notes, [{ method: 'DELETE', path: '/books', code: 0, username: 'user1' }])
})

t.test(
  'a request whose client resets the connection before its handler is called is noted, and not done',
  async (t) => {
    let admit = () => {}
    const asked = new Promise<void>((resolve) => {
      admit = resolve
    })
    let release = () => {}
    const known = new Promise<void>((resolve) => {
      release = resolve
    })
    const { app, notes, given } = await noted(t, {
      authenticate: async () => {
        admit()
        await known
        return admitted(7)
      },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write('DELETE /api/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer user1\r\nuser-agent: x\r\n\r\n')
    await asked
    socket.resetAndDestroy()
    await eventually(() => notes.length > 0, 'the note')
    release()
    // A request that comes later is answered: by then a second note of the first one would be there.
    t.equal((await app.inject({ url: '/elsewhere' })).statusCode, 404)
    t.match(notes, [{ method: 'DELETE', path: '/books', code: 499, address: '127.0.0.1', userAgent: 'x' }])
    t.equal(notes.length, 1)
    t.same(given, [])
  },
)

t.test('one that fails after its client has reset the connection is noted as it failed', async (t) => {
  let started = () => {}
  const underWay = new Promise<void>((resolve) => {
    started = resolve
  })
  let fail = () => {}
  const failing = new Promise<void>((_, reject) => {
    fail = () => reject(refusals.taken.at('ids'))
  })
  const { app, notes } = await noted(t, {
    handlers: {
      cleanBooks: async () => {
        started()
        await failing
      },
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const gone = new Promise<void>((resolve) => app.server.once('request', (raw) => raw.once('close', resolve)))
  socket.write('DELETE /api/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer user1\r\n\r\n')
  await underWay
  socket.resetAndDestroy()
  await gone
  t.same(notes, [])
  fail()
  await eventually(() => notes.length > 0, 'the note')
  t.match(notes, [{ path: '/books', code: 409, username: 'user1', address: '127.0.0.1' }])
})

t.test('a list that is streamed is noted', async (t) => {
  const { call, notes } = await noted(t, {
    handlers: {
      listBooks: async () => ({
        books: (async function* () {
          yield []
        })(),
      }),
    },
  })
  await call('listBooks', { token: 'user1' })
  t.match(notes, [{ path: '/books', code: 0 }])
})

t.test('when nothing can be noted nothing is done, and the refusal is not noted', async (t) => {
  let accepting = true
  const { app, call, notes, given }: Service & { notes: AnsweredRequest[] } = await noted(t, {}, () => accepting)
  accepting = false
  t.match(await call('cleanBooks', { token: 'user1' }), {
    code: 503,
    msg: 'the operation log cannot be written now',
    headers: { 'retry-after': '5' },
  })
  await app.inject('/api/nothing')
  t.match(await call('ping'), { code: 0 }, 'what is never noted still answers')
  t.equal(given.length, 1)
  t.same(notes, [])
  accepting = true
  await call('cleanBooks', { token: 'user1' })
  t.match(notes, [{ path: '/books', code: 0 }])
})

t.test('ids are taken from fields that name them, each once, and the first again where a list has it', (t) => {
  t.same(
    touchedIds({ id: 3 }, { title: 'Emma', shelfIds: [4, 5], userId: 9, groupIds: [3, 1], id: 4 }, null, 'x'),
    [3, 3, 4, 9, 5, 1],
    'its own record comes first, lists last',
  )
  t.same(touchedIds({ roleIds: [2], ids: [8, 7] }), [8, 7], 'what is changed, not what with')
  t.same(touchedIds({ id: 'x', aIds: ['1', 1.5, -1, 0, 2 ** 53, null], idle: 1, valid: 2, ID: 3 }), [])
  t.equal(touchedIds({ userIds: Array.from({ length: 10_000 }, (_, i) => i + 1) }).length, 10_000)
  t.end()
})
