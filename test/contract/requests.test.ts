import { connect } from 'node:net'
import t from 'tap'
import type { ContractDocument } from '../../src/contract/document.ts'
import { documents, type Operations } from '../../src/generated/documents.ts'
import { steward } from '../steward.ts'
import type { CallInput, RawReply } from './call.ts'
import { smallestInput } from './inputs.ts'
import { service } from './service.ts'

const good = { title: 'Emma', status: 1 }
const token = 'user1'

t.test('an input that fits reaches the handler as its declared types', async (t) => {
  const { call, given } = await service(t)
  await call('listBooks', {
    token,
    query: { pageNum: 2, title: '100%_\\', status: 2, ids: [3, 4], lent: true, price: '-1.50', unknown: 'x' },
  })
  t.same(given.at(-1)?.query, {
    pageNum: 2,
    pageSize: 10,
    title: '100%_\\',
    status: 2,
    ids: [3, 4],
    lent: true,
    price: -1.5,
  })
  await call('listBooks', { token, query: { pageNum: '', title: '', status: '', ids: '', lent: '', pageSize: '' } })
  t.same(given.at(-1)?.query, { pageSize: 10 }, 'an empty value is no filter, and the default applies')
  await call('showTree', { token, params: { id: 9_007_199_254_740_991 } })
  t.same(given.at(-1)?.params, { id: 9_007_199_254_740_991 })
  await call('addBook', { token, body: { ...good, title: '😀😀', names: { 'a.b': 'c' } } })
  t.same(given.at(-1)?.body, { ...good, title: '😀😀', names: { 'a.b': 'c' } }, 'lengths count code points, maps stay')
})

t.test('fields that the contract does not declare never reach the handler', async (t) => {
  const { call, given } = await service(t)
  const body = { ...good, admin: true, cover: { colour: 'red', price: 1 }, names: { any: 'name' } }
  t.equal((await call('addBook', { token, body })).code, 0)
  t.same(given.at(-1)?.body, { ...good, cover: { colour: 'red' }, names: { any: 'name' } })
  await call('ping', { headers: { 'x-any': 'y' } })
  t.same(given.at(-1)?.body, {})
})

t.test('a body is optional where nothing of it is required', async (t) => {
  const { app, call, given, assertReply } = await service(t)
  t.equal((await call('syncBooks', { token })).code, 0)
  t.same(given.at(-1)?.body, {})
  t.equal((await call('cleanBooks', { token })).code, 0, 'DELETE without a body')
  const authorization = `Bearer ${token}`
  for (const url of ['/api/books/sync', '/api/books']) {
    const headers = { authorization, 'content-type': 'application/json' }
    const reply = await app.inject({ method: url === '/api/books' ? 'DELETE' : 'POST', url, headers })
    t.equal(assertReply(url === '/api/books' ? 'cleanBooks' : 'syncBooks', reply).code, 0, 'an empty JSON body')
  }
  const missing = await call('addBook', { token })
  t.match(missing, { status: 200, code: 400, msg: 'title: is required' }, 'else the first missing field is named')
  t.same(missing.data, [
    { field: 'title', message: 'is required', reason: 'contract.required', params: {} },
    { field: 'status', message: 'is required', reason: 'contract.required', params: {} },
  ])
})

t.test('JSON is not coerced and what is wrong is named', async (t) => {
  const { call, given } = await service(t)
  const before = given.length
  const cases: [body: unknown, field: string, message: string][] = [
    [{ ...good, title: 1 }, 'title', 'must be a text'],
    [{ ...good, title: null }, 'title', 'must be a text'],
    [{ ...good, title: 'E' }, 'title', 'must have at least 2 characters'],
    [{ ...good, title: 'E'.repeat(21) }, 'title', 'must have at most 20 characters'],
    [{ ...good, title: '😀' }, 'title', 'must have at least 2 characters'],
    [{ ...good, status: '1' }, 'status', 'must be a whole number'],
    [{ ...good, status: 3 }, 'status', 'must be one of 1, 2'],
    [{ ...good, status: true }, 'status', 'must be a whole number'],
    [{ ...good, year: 1.5 }, 'year', 'must be a whole number'],
    [{ ...good, year: 1e300 }, 'year', 'must be at most 9007199254740991'],
    [{ ...good, tags: 'a' }, 'tags', 'must be a list'],
    [{ ...good, tags: ['a', 'b', 'toolong'] }, 'tags.2', 'must have at most 5 characters'],
    [{ ...good, names: { a: 1 } }, 'names.a', 'must be a text'],
    [{ ...good, cover: {} }, 'cover.colour', 'is required'],
    [{ ...good, cover: [] }, 'cover', 'must be an object'],
    [[], 'body', 'must be an object'],
    [null, 'body', 'must be an object'],
    ['text', 'body', 'must be an object'],
  ]
  for (const [body, field, message] of cases) {
    const reply = await call('addBook', { token, body })
    t.match(reply, { status: 200, code: 400, msg: `${field}: ${message}` }, JSON.stringify(body)?.slice(0, 60))
    t.match(reply.data, [{ field, message }])
  }
  const many = await call('addBook', { token, body: { title: 'E', status: 3, year: '1', tags: Array(30).fill(1) } })
  t.equal((many.data as unknown[]).length, 20, 'at most 20 problems are named')
  const huge = await call('addBook', { token, body: { ...good, tags: Array(10_000).fill(1) } })
  t.match(huge, { code: 400, msg: 'tags: must have at most 300 entries' })
  t.equal((huge.data as unknown[]).length, 1, 'of a large body only the first')
  t.equal(given.length, before, 'and no handler ran')
})

t.test('parameters are read strictly', async (t) => {
  const { app, call, assertReply } = await service(t)
  const authorization = `Bearer ${token}`
  const cases: [query: string, message: string][] = [
    ['pageNum=1e3', 'pageNum: must be a whole number'],
    ['pageNum=+1', 'pageNum: must be a whole number'],
    ['pageNum=%2B1', 'pageNum: must be a whole number'],
    ['pageNum=%201', 'pageNum: must be a whole number'],
    ['pageNum=01', 'pageNum: must be a whole number'],
    ['pageNum=1.0', 'pageNum: must be a whole number'],
    ['pageNum=0x1', 'pageNum: must be a whole number'],
    ['pageNum=0', 'pageNum: must be at least 1'],
    ['pageNum=99999999999999999999', 'pageNum: must be a whole number'],
    ['pageNum=1&pageNum=2', 'pageNum: must be given only once'],
    ['title=a&title=b', 'title: must be given only once'],
    ['title=%00', 'title: must not contain the NUL character'],
    ['status=9', 'status: must be one of 1, 2'],
    ['ids=1&ids=x', 'ids: must be a whole number'],
    ['ids=0', 'ids.0: must be at least 1'],
    ['lent=1', 'lent: must be true or false'],
    ['price=NaN', 'price: must be a number'],
    ['price=1e1', 'price: must be a number'],
  ]
  for (const [query, message] of cases) {
    const reply = await app.inject({ url: `/api/books?${query}`, headers: { authorization } })
    t.match(assertReply('listBooks', reply), { code: 400, msg: message }, query)
  }
  const invalid = await app.inject({ url: '/api/books?title=%zz%ED%A0%80', headers: { authorization } })
  t.equal(assertReply('listBooks', invalid).code, 0, 'an invalid percent encoding is taken as it stands')
  for (const id of ['0', '-1', '1.5', 'x', '9007199254740992']) {
    t.match(await call('showTree', { token: `user${id.length}0`, params: { id } }), { code: 400, msg: /^id: / }, id)
  }
})

t.test('bodies that are not acceptable JSON are refused without repeating them', async (t) => {
  const { app, assertReply } = await service(t)
  const send = async (payload: string | Buffer, headers: Record<string, string> = {}) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/books',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload,
    })
    t.notMatch(reply.body, /secret/)
    return assertReply('addBook', reply)
  }
  const json = (title: string) => `{"title":"${title}","status":1}`
  t.match(await send('{"secret"'), { code: 400, msg: 'the body is not valid JSON' })
  t.match(await send('secret'), { code: 400, msg: 'the body is not valid JSON' })
  t.match(await send(json('raw \0 NUL')), { code: 400, msg: 'the body is not valid JSON' })
  t.match(await send(json('a\\u0000b')), { code: 400, msg: 'title: must not contain the NUL character' })
  t.match(await send(json('a\\ud83db')), { code: 400, msg: 'title: must not contain half of a surrogate pair' })
  t.match(await send(json('a\\uDE00b')), { code: 400, msg: 'title: must not contain half of a surrogate pair' })
  t.match(await send(json('\\uD83D\\uDE00\\u00e9')), { code: 0 }, 'whole pairs are fine')
  t.match(await send('{"title":"ab","status":1,"names":{"\\u0000":"x"}}'), {
    code: 400,
    msg: 'names: must not have a field name with the NUL character',
  })
  t.match(await send('{"title":"ab","status":1,"tags":["a","\\u0000"]}'), {
    code: 400,
    data: [{ field: 'tags.1', message: 'must not contain the NUL character' }],
  })
  const invalidUtf8 = Buffer.concat([
    Buffer.from('{"title":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('","status":1}'),
  ])
  t.match(await send(invalidUtf8), { code: 400, msg: 'the body is not valid UTF-8' })
  const surrogate = Buffer.concat([
    Buffer.from('{"title":"'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('","status":1}'),
  ])
  t.match(await send(surrogate), { code: 400, msg: 'the body is not valid UTF-8' })
  t.match(await send('{"title":"ab","status":1,"__proto__":{"admin":true}}'), { code: 400, msg: /__proto__/ })
  t.match(await send('{"title":"ab","status":1,"constructor":{"prototype":{}}}'), { code: 400, msg: /prototype/ })
  t.match(await send(`\ufeff${json('with a BOM')}`), { code: 0 })
  const deep = 30_000
  t.match(await send(`${'['.repeat(deep)}${']'.repeat(deep)}`), { code: 400, msg: 'body: must be an object' })
  t.match(await send(`{"title":"ab","status":1,"x":${'['.repeat(deep)}"\\u0000"${']'.repeat(deep)}}`), {
    code: 400,
    msg: 'x: is nested too deeply',
  })
  t.match(await send(json('x'.repeat(70_000))), { code: 413, msg: 'the body is too large' })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
    t.match(await send('title=secret', { 'content-type': type }), { code: 415, msg: /application\/json/ }, type)
  }
  t.match(await send(json('ab'), { 'content-type': 'application/json; charset=utf-8' }), { code: 0 })
  for (const encoding of ['gzip', 'identity, gzip', 'nonsense']) {
    t.match(await send(json('ab'), { 'content-encoding': encoding }), { code: 415 }, encoding)
  }
  t.match(await send(json('ab'), { 'content-encoding': 'Identity' }), { code: 0 })
  // As axios sends a request without a body.
  const empty = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  t.match(await send('', empty), { code: 400, msg: 'title: is required' })
})

t.test('an unknown path is HTTP 404 in the envelope of its prefix', async (t) => {
  const { app } = await service(t)
  const none = 'the operation does not exist'
  const why = { reason: 'contract.no_operation', params: {} }
  for (const [method, url] of [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing?token=x'],
    ['POST', '/api/ping/'],
    ['HEAD', '/api/nothing'],
    ['OPTIONS', '/api/nothing'],
    ['GET', '/api/PING'],
    ['GET', '/api/ping/'],
    ['GET', '/api//ping'],
  ] as const) {
    const reply = await app.inject({ method, url })
    t.equal(reply.statusCode, 404, `${method} ${url}`)
    if (method !== 'HEAD') t.same(reply.json(), { code: 404, data: null, msg: none, ...why })
  }
  const broken = await app.inject({
    method: 'POST',
    url: '/api/nothing',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  t.equal(broken.statusCode, 404, 'whatever the body is')
  for (const url of ['/api/v1/loans', '/api/v1/loans/', '/api/v1/loans/nothing']) {
    const reply = await app.inject({ method: 'GET', url })
    t.equal(reply.statusCode, 404, url)
    t.same(reply.json(), { code: 404, message: none, data: null, ...why })
  }
  t.match((await app.inject({ url: '/elsewhere' })).json(), { code: 404, data: null })
})

t.test('URLs that cannot be read end in the envelope too', async (t) => {
  const { app } = await service(t)
  const why = { reason: 'contract.path_encoding', params: {} }
  const bad = await app.inject({ url: '/api/%zz' })
  t.equal(bad.statusCode, 400)
  t.same(bad.json(), { code: 400, data: null, msg: 'the encoding of the path is not valid', ...why })
  t.ok(bad.headers['x-request-id'])
  t.same((await app.inject({ url: '/api/v1/loans/%zz' })).json(), {
    code: 400,
    message: 'the encoding of the path is not valid',
    data: null,
    ...why,
  })
  const long = await app.inject({ url: `/api/shelves/${'1'.repeat(2000)}/tree` })
  t.equal(long.statusCode, 404)
  t.match(long.json(), { code: 404, data: null })
})

/** Everything a server says on one connection to exactly these bytes. */
const exchange = (port: number, bytes: string): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [status = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ') as [string, string]))
      resolve({ statusCode: Number(status.split(' ')[1]), headers, body })
    })
  })

t.test('bytes that are not HTTP are answered, and the connection is closed', async (t) => {
  const { app } = await service(t)
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    [`GET /api/ping HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['POST /api/books HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n', 400],
  ] as const) {
    const { statusCode, headers, body } = await exchange(port, bytes)
    t.equal(statusCode, status, bytes.slice(0, 20))
    t.match(JSON.parse(body), { code: status, data: null, msg: String })
    t.match(headers, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    t.match(headers, { 'x-request-id': String, 'x-content-type-options': 'nosniff' })
  }
  for (const [lines, msg] of [
    ['connection: close', 'the header Host is missing'],
    ['host: x\r\nexpect: a miracle\r\nconnection: close', 'the header Expect may only be 100-continue'],
    ['host: x\r\nHost: y\r\nconnection: close', 'the request could not be read'],
    ['host: x\r\ntransfer-encoding: gzip, chunked\r\nconnection: close', 'the request could not be read'],
  ]) {
    const { statusCode, headers, body } = await exchange(port, `GET /api/ping HTTP/1.1\r\n${lines}\r\n\r\n`)
    t.match(JSON.parse(body), { code: 400, msg, data: null })
    t.match([statusCode, headers['x-request-id']], [200, String])
  }
  const cut = await exchange(
    port,
    `POST /api/books HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: text/plain\r\ncontent-length: 4\r\nconnection: close\r\n\r\nab`,
  )
  t.match(JSON.parse(cut.body), { code: 415 }, 'a refusal does not wait for the body')
})

t.test('every operation declares how it refuses what HTTP itself forbids', async (t) => {
  const s = await steward(t, { directory: 'none' })
  for (const operation of documents.flatMap((document: ContractDocument) => document.operations)) {
    const { params, query, body } = smallestInput(operation)
    const input = { params, query, ...(body !== undefined && { body }), headers: { expect: 'a miracle' } }
    const { code, reason } = await s.call(operation.id as keyof Operations, input as CallInput)
    t.same([code, reason], [400, 'contract.expectation'], operation.id)
  }
})
