import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { SuccessWithMessage } from '../../src/contract/handler.ts'
import { eventually, settled } from '../eventually.ts'
import { openDoor } from './call.ts'
import { fixtureText } from './fixtures.ts'
import { refusals } from './refusals.ts'
import { type Given, service, tokenOf } from './service.ts'

const token = 'user1'
const book = (id: number) => ({ id, title: `Book ${id}`, status: 1, lentUntil: null })

t.test('the directory envelope travels with HTTP 200 whatever the outcome', async (t) => {
  const errors: unknown[] = [
    refusals.taken.at('title'),
    refusals.no_book(),
    refusals.archive(),
    refusals.wait({ retryAfter: 2.3 }),
    new Error('secret of the driver'),
    'thrown text',
    undefined,
  ]
  const { call, lines } = await service(t, {
    handlers: {
      addBook: async () => {
        throw errors.shift()
      },
      syncBooks: async () => new SuccessWithMessage(null, 'saved; the archive follows'),
    },
  })
  const add = () => call('addBook', { token, body: { title: 'Emma', status: 1 } })
  t.match(await call('ping'), {
    status: 200,
    code: 0,
    msg: 'success',
    data: 'pong',
    body: '{"code":0,"data":"pong","msg":"success"}',
  })
  t.match(await call('syncBooks', { token }), { code: 0, msg: 'saved; the archive follows', data: null })
  t.match(await add(), {
    status: 200,
    code: 409,
    msg: 'title: is taken',
    data: [{ field: 'title', message: 'is taken' }],
  })
  t.match(await add(), { status: 200, code: 404, msg: 'no such book', data: null })
  t.match(await add(), { status: 200, code: 502, msg: 'the archive refused' })
  t.match(await add(), { status: 200, code: 429, headers: { 'retry-after': '3' } })
  for (const _ of [1, 2, 3]) {
    const { code, msg, body, headers } = await add()
    t.equal(code, 500)
    t.equal(msg, `internal error, request ${headers['x-request-id']}`, 'the request id leads to the log')
    t.notMatch(body, /secret|thrown|stack|at /)
    t.equal(headers['cache-control'], 'no-store')
  }
  const logged = lines.filter(({ level }) => level === 50)
  t.equal(logged.length, 4, 'internal and upstream errors are logged')
  t.match(logged[1]?.error, { message: 'secret of the driver', stack: [/^at /] }, 'with their stack')
})

t.test('the other envelope has the HTTP status of its code', async (t) => {
  const { call } = await service(t, {
    handlers: {
      renewLoan: async ({ params }: Given) => {
        if (params.id === 7) throw refusals.renewed()
        if (params.id === 8) throw new Error('secret')
        return null
      },
    },
  })
  const renew = (id: number, body: unknown = { days: 3 }) =>
    call('renewLoan', { token: `user${id}`, params: { id }, body })
  t.match(await renew(1), { status: 200, body: '{"code":200,"message":"success"}' })
  t.match(await renew(7), { status: 409, code: 409, msg: 'already renewed', data: null })
  t.match(await renew(8), { status: 500, code: 500, msg: /^internal error/ })
  t.match(await renew(2, { days: 29 }), { status: 400, data: [{ field: 'days', message: 'must be at most 28' }] })
  t.match(await call('renewLoan', { params: { id: 1 } }), { status: 401, code: 401 })
  t.match(await call('listLoans', { token: 'weak' }), { status: 403, code: 403 })
})

t.test('a reply that is not as the contract says is an internal error, not a wrong answer', async (t) => {
  const { call, lines } = await service(t, { handlers: { addBook: async () => ({ ident: 1 }) } })
  t.match(await call('addBook', { token, body: { title: 'Emma', status: 1 } }), { code: 500, msg: /^internal error/ })
  t.match(lines.find(({ level }) => level === 50)?.error, { message: /id/ })
})

t.test('errors of libraries are translated once, in one place', async (t) => {
  const { call } = await service(t, {
    handlers: {
      syncBooks: async () => {
        throw Object.assign(new Error('connect ECONNREFUSED /run/secret'), { code: 'ECONNREFUSED' })
      },
    },
    translateError: (error) =>
      (error as { code?: string }).code === 'ECONNREFUSED' ? refusals.database_away({ cause: error }) : undefined,
  })
  t.match(await call('syncBooks', { token }), { code: 503, msg: 'the database is not available' })
})

t.test('only a whole bearer token counts, and handlers see it', async (t) => {
  const { app, call, given, assertReply } = await service(t)
  const flood = async (authorization: string) =>
    assertReply('cleanBooks', await app.inject({ method: 'DELETE', url: '/api/books', headers: { authorization } }))
      .code
  t.equal(await flood('Bearer user1'), 0)
  t.equal(given.at(-1)?.user?.userId, 1)
  t.equal(given.at(-1)?.request.token, 'user1')
  t.equal(await flood('bearer user2'), 0, 'the scheme has no case')
  for (const bad of [
    '',
    'user1',
    'Bearer',
    'Bearer ',
    'Bearer  user1',
    'Basic user1',
    'Bearer user1, x',
    'Bearer user1 x',
  ]) {
    t.equal(await flood(bad), 401, JSON.stringify(bad))
  }
  t.equal((await call('cleanBooks')).code, 401)
  t.equal((await call('cleanBooks', { token: 'weak' })).code, 403)
  await call('ping', { token: 'anything', headers: { 'user-agent': 'test' } })
  t.match(given.at(-1), { request: { token: 'anything', address: '127.0.0.1', userAgent: 'test' }, user: null })
})

t.test('the caller is asked for the operation as permission entries name it', async (t) => {
  const asked: object[] = []
  const { call } = await service(t, {
    config: { basePath: '' },
    authenticate: async (credential, operation) => {
      asked.push({ token: tokenOf(credential), ...operation })
      throw refusals.sign_in()
    },
  })
  await call('showTree', { token, params: { id: 3 } })
  await call('renewLoan', { params: { id: 3 } })
  await call('ping', { token })
  t.same(asked, [
    { token, method: 'GET', path: '/shelves/{id}/tree' },
    { token: null, method: 'PUT', path: '/v1/loans/loans/{id}' },
  ])
})

t.test('the limit comes before the token, the token before the body', async (t) => {
  let asked = 0
  const { app, call, assertReply } = await service(t, {
    authenticate: async () => {
      asked++
      throw refusals.sign_in()
    },
  })
  const codes = []
  for (let i = 0; i < 4; i++) codes.push((await call('flood')).code)
  t.same(codes, [401, 401, 429, 429], 'an anonymous flood is limited')
  t.equal(asked, 2, 'before its tokens are checked')
  const broken = await app.inject({
    method: 'POST',
    url: '/api/books',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  t.equal(assertReply('addBook', broken).code, 401, 'without a token the body is not read')
})

t.test('limits count by address or by user, and say when to come back', async (t) => {
  const { call } = await service(t, { config: { trustProxy: 1 } })
  const login = (address: string) => call('login', { body: { name: 'ada' }, headers: { 'x-forwarded-for': address } })
  for (let i = 0; i < 3; i++) t.equal((await login('192.0.2.1')).code, 0)
  const limited = await login('192.0.2.1')
  t.match(limited, { status: 200, code: 429, msg: 'too many requests', data: null })
  t.ok(Number(limited.headers['retry-after']) > 0 && Number(limited.headers['retry-after']) <= 60)
  t.equal((await login('192.0.2.1:50123')).code, 429, 'with a port, as some proxies write it, it is the same address')
  t.equal((await login('192.0.2.2')).code, 0, 'another address has its own')
  t.equal((await login('198.51.100.7, 192.0.2.1')).code, 429, 'and an address that a client made up does not count')
  const tree = (user: number) => call('showTree', { token: `user${user}`, params: { id: 1 } })
  t.same([(await tree(1)).code, (await tree(1)).code, (await tree(1)).code, (await tree(2)).code], [0, 0, 429, 0])
  for (let i = 0; i < 5; i++) await call('renewLoan', { token, params: { id: 1 }, body: { days: 1 } })
  t.match(await call('renewLoan', { token, params: { id: 1 }, body: { days: 1 } }), { status: 429, code: 429 })
})

t.test('answers are not kept unless the document says so', async (t) => {
  const { call } = await service(t)
  t.equal((await call('ping')).headers['cache-control'], 'no-store')
  t.equal((await call('listLoans', { token })).headers['cache-control'], 'no-store')
  t.equal((await call('listLoans')).headers['cache-control'], 'no-store')
})

t.test('a list is streamed batch by batch and ends with its total', async (t) => {
  const batches = [[book(1), book(2)], [], [book(3)]]
  const { call } = await service(t, {
    handlers: {
      listBooks: async ({ query }: Given) => {
        const books = (async function* () {
          yield* query.title === 'none' ? [[]] : batches
        })()
        return query.title === 'known' ? new SuccessWithMessage({ books, total: 70 }, 'well') : { books }
      },
    },
  })
  const all = await call('listBooks', { token })
  t.equal(all.code, 0)
  t.same(all.data, { books: [book(1), book(2), book(3)], total: 3 })
  t.same((await call('listBooks', { token, query: { title: 'none' } })).data, { books: [], total: 0 })
  t.match(await call('listBooks', { token, query: { title: 'known' } }), { msg: 'well', data: { total: 70 } })
})

t.test('a list that fails before its first batch is an ordinary error', async (t) => {
  const { call } = await service(t, {
    handlers: {
      listBooks: async () => ({
        // biome-ignore lint/correctness/useYield: it fails before
        books: (async function* () {
          throw refusals.no_books_today()
        })(),
      }),
    },
  })
  t.match(await call('listBooks', { token }), { status: 200, code: 503, msg: 'no books today', data: null })
})

t.test('a list that fails on the way breaks the connection, so that no client takes it for whole', async (t) => {
  let closed = false
  const { app, lines } = await service(t, {
    handlers: {
      listBooks: async () => ({
        books: (async function* () {
          try {
            yield [book(1)]
            throw new Error('the cursor is gone')
          } finally {
            closed = true
          }
        })(),
      }),
    },
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(`${address}/api/books`, { headers: { authorization: `Bearer ${token}` } })
  await t.rejects(response.text())
  t.ok(closed)
  await eventually(() => lines.some(({ msg }) => msg === 'an answer broke off'), 'the log says it')
  t.match(
    lines.find(({ msg }) => msg === 'an answer broke off'),
    { level: 50, error: { message: 'the cursor is gone' } },
  )
})

t.test('a list is read no faster than the client takes it, and no longer than the client stays', async (t) => {
  let read = 0
  let closed = false
  const { app } = await service(t, {
    handlers: {
      listBooks: async () => ({
        books: (async function* () {
          try {
            for (;;) {
              read++
              yield Array.from({ length: 1000 }, (_, index) => book(index + 1))
            }
          } finally {
            closed = true
          }
        })(),
      }),
    },
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const request = get(`${address}/api/books`, { headers: { authorization: `Bearer ${token}` } })
  const [response] = await once(request, 'response')
  response.pause()
  const before = await settled(() => read, 'the batches that are read')
  t.ok(before < 1000, `a client that does not read stops the list after ${before} batches`)
  request.destroy()
  await eventually(() => closed, 'a client that goes away ends it')
})

t.test('request ids come from the client where they are harmless', async (t) => {
  const { call, given, lines } = await service(t)
  t.equal((await call('ping', { headers: { 'x-request-id': 'trace-1.a_B' } })).headers['x-request-id'], 'trace-1.a_B')
  t.equal(given.at(-1)?.request.requestId, 'trace-1.a_B')
  t.ok(lines.some(({ requestId, msg }) => requestId === 'trace-1.a_B' && msg === 'request'))
  for (const bad of ['a b', 'x'.repeat(65), '"quoted"', '<b>']) {
    t.match((await call('ping', { headers: { 'x-request-id': bad } })).headers['x-request-id'], /^[0-9a-f-]{36}$/)
  }
})

t.test('the log has a line per request and no secret in it', async (t) => {
  const { app, call, lines } = await service(t, {
    handlers: {
      addBook: async () => {
        const cause = Object.assign(new Error('null value'), { code: '23502', detail: 'secret-detail' })
        throw new Error('Failed query: insert into book\nparams: secret-param', { cause })
      },
    },
  })
  await call('listBooks', { token: 'user7', query: { title: 'secret-query' } })
  await call('addBook', { token: 'secret-token', body: { title: 'secret-body', status: 1 } })
  await call('addBook', { token: 'user7', body: { title: 'secret-body', status: 1 } })
  await app.inject({ url: '/api/nothing?secret-query', headers: { cookie: 'secret-cookie' } })
  await app.inject({ url: '/api/%zz?secret-query' })
  const text = JSON.stringify(lines)
  t.notMatch(text, /secret|user7/)
  t.match(
    lines.filter(({ msg }) => msg === 'request'),
    [
      {
        level: 30,
        method: 'GET',
        path: '/api/books',
        status: 200,
        code: 0,
        address: '127.0.0.1',
        milliseconds: Number,
      },
      { method: 'POST', path: '/api/books', status: 200, code: 401 },
      { method: 'POST', path: '/api/books', status: 200, code: 500 },
      { method: 'GET', path: '/api/nothing', status: 404, code: 404 },
      { method: 'GET', path: '/api/%zz', status: 400 },
    ],
  )
  t.match(lines.find(({ level }) => level === 50)?.error, {
    message: 'Failed query: insert into book',
    cause: { code: '23502', message: 'null value' },
  })
})

t.test('stopping finishes what is under way and refuses what comes after', async (t) => {
  const waiting: (() => void)[] = []
  const { app } = await service(t, {
    handlers: { syncBooks: () => new Promise<null>((resolve) => waiting.push(() => resolve(null))) },
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const door = openDoor([fixtureText('library')])
  t.equal((await door.call(address, 'ping')).code, 0, 'the door works on a running service')
  const slow = door.call(address, 'syncBooks', { token })
  const pipelined = connect(Number(new URL(address).port), '127.0.0.1')
  const head = `host: x\r\nauthorization: Bearer ${token}\r\n\r\n`
  pipelined.write(`POST /api/books/sync HTTP/1.1\r\ncontent-length: 0\r\n${head}`)
  await eventually(() => waiting.length === 2, 'both are under way')
  const started = Date.now()
  const closing = app.close()
  await eventually(() => !app.server.listening, 'the service stops')
  const arrives = once(app.server, 'request')
  pipelined.write(`GET /api/ping HTTP/1.1\r\n${head}`)
  await arrives
  for (const finish of waiting) finish()
  t.equal((await slow).code, 0, 'requests under way are answered')
  const said = await text(pipelined)
  t.match(said, /"code":0.*"code":503.*the service is stopping/s, 'a later one on the same connection is refused')
  await closing
  t.ok(Date.now() - started < 20_000, 'no idle connection holds the service up')
  await t.rejects(door.call(address, 'ping'), 'and is gone then')
})
