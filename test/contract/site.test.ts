import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fastify from 'fastify'
import pino from 'pino'
import t from 'tap'
import { parse } from 'yaml'
import { pathPattern } from '../../src/contract/allowed-methods.ts'
import { inputReader } from '../../src/contract/input.ts'
import type { AnsweredRequest, Journal } from '../../src/contract/journal.ts'
import type { Mounted } from '../../src/contract/mount.ts'
import { AppError } from '../../src/failures/errors.ts'
import { documents } from '../../src/generated/documents.ts'
import { buildApp } from '../../src/main/app.ts'
import { serveFile } from '../../src/main/static-file.ts'
import { browserMissing, openPage, startBrowser } from '../browser.ts'
import type { Teardown } from '../database.ts'
import { refusals } from './refusals.ts'
import { service, tokenOf } from './service.ts'

/** Every response header that one of the documents names, in lower case. */
const documentedHeaders = (): Set<string> => {
  const names = new Set<string>()
  const collect = (node: unknown, key: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (key === 'headers' && !('components' in node)) names.add(name.toLowerCase())
      collect(value, name)
    }
  }
  for (const name of ['directory', 'security', 'diet', 'operations']) {
    const { components, paths } = parse(readFileSync(new URL(`../../openapi/${name}.yaml`, import.meta.url), 'utf8'))
    collect({ paths, responses: components.responses }, '')
  }
  return names
}

/** The shipped documents, with handlers that are not called here. */
interface SiteOptions {
  basePath?: string
  journal?: Journal
  /** Gets the token of every request to a secured operation. */
  tokens?: (string | null)[]
}

const site = async (t: Teardown, { basePath = '', journal, tokens = [] }: SiteOptions = {}) => {
  const app = await buildApp({
    config: { basePath, bodyLimit: 65_536, corsOrigins: [], timeZone: 'UTC', trustProxy: false },
    log: pino({ level: 'silent' }),
    documents: documents.map((document): Mounted => {
      const handlers: Record<string, Record<string, () => Promise<unknown>>> = {}
      for (const { group, id } of document.operations) {
        handlers[group] ??= {}
        handlers[group][id] = async () => null
      }
      return { document, handlers }
    }),
    authenticate: async (credential) => {
      tokens.push(tokenOf(credential))
      throw refusals.sign_in()
    },
    ...(journal && { journal }),
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

/** What a page loads, relative to itself. */
const assetsOf = (page: string): string[] => [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => String(url))

t.test('every schema of the contract is valid and compiles', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  for (const { shared, operations } of documents) {
    const serializerOf = SerializerSelector()(Object.fromEntries(shared.map((schema) => [schema.$id, schema])))
    for (const operation of operations) {
      const { params, querystring, body, response } = operation.schema
      for (const schema of [params, querystring, body, response].filter((each) => each !== undefined)) {
        t.ok(ajv.validateSchema(schema), operation.id)
      }
      try {
        inputReader(operation)({ params: {}, query: {}, body: undefined })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
      const { method, url } = operation
      t.type(serializerOf({ method, url, httpStatus: '200', schema: response }), 'function')
    }
  }
})

t.test('the documents are served as they are', async (t) => {
  const app = await site(t)
  for (const { name, title } of documents) {
    const yaml = await app.inject({ url: `/openapi/${name}.yaml` })
    t.equal(yaml.body, readFileSync(new URL(`../../openapi/${name}.yaml`, import.meta.url), 'utf8'))
    t.match(yaml.headers['content-type'], /^application\/yaml/)
    const json = await app.inject({ url: `/openapi/${name}.json` })
    t.match(json.headers['content-type'], /^application\/json/)
    t.same(json.json(), parse(yaml.body))
    t.equal(json.json().info.title, title)
  }
})

t.test('the documentation page shows all documents and loads nothing from elsewhere', async (t) => {
  const app = await site(t)
  t.match(await app.inject({ url: '/docs/' }), { statusCode: 302, headers: { location: '/docs' } })
  const page = await app.inject({ url: '/docs' })
  t.equal(page.statusCode, 200)
  const assets = assetsOf(page.body)
  t.ok(assets.length >= 5)
  for (const url of assets) t.equal((await app.inject({ url: `/${url}` })).statusCode, 200, url)
  t.notMatch(page.body, /<script>|<style>|style=|https?:/, 'so that its content security policy holds')
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /default-src 'self'/)
  t.notMatch(policy, /script-src|unsafe-eval|https?:/)
  t.notMatch(policy, /upgrade-insecure-requests/)
  for (const { name, title } of documents) t.ok(page.body.includes(`<option value="${name}">${title}</option>`), name)
})

t.test('static files are compressed, and sent again only when they changed', async (t) => {
  const app = await site(t)
  const addresses = ['docs', 'openapi/directory.json', ...assetsOf((await app.inject({ url: '/docs' })).body)]
  for (const url of addresses.map((address) => `/${address}`)) {
    const plain = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip;q=0' } })
    t.equal(plain.headers['content-encoding'], undefined, url)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    t.match(packed.headers, { 'content-encoding': 'gzip', vary: 'accept-encoding', 'cache-control': 'no-cache' }, url)
    t.ok(gunzipSync(packed.rawPayload).equals(plain.rawPayload), url)
    const etag = String(packed.headers.etag)
    t.match(await app.inject({ url, headers: { 'if-none-match': etag } }), { statusCode: 304, body: '' }, url)
  }
  const script = await app.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'accept-encoding': 'gzip' } })
  t.ok(script.rawPayload.length < 600_000, 'a third of what it is')
})

t.test('a file that could not be read is read again', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  let reads = 0
  const read = async (): Promise<string> => {
    reads += 1
    if (reads === 1) throw new Error('too many open files')
    return 'a page'
  }
  serveFile(app, '/page', { type: 'text/plain', read })
  t.match(await app.inject('/page'), { statusCode: 500 })
  t.match(await app.inject('/page'), { statusCode: 200, body: 'a page' })
  t.match(await app.inject('/page'), { statusCode: 200 })
  t.equal(reads, 2, 'and then no more')
})

t.test('no address leads out of the page or into an error', async (t) => {
  const { app, lines } = await service(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  // As it is written: fetch and light-my-request tidy a path up before they send it.
  const ask = async (path: string): Promise<{ status: number | undefined; body: string }> => {
    const [reply] = (await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')) as [IncomingMessage]
    return { status: reply.statusCode, body: await text(reply) }
  }
  for (const path of [
    '%2e%2e/',
    '%2e%2e%2f',
    '....//',
    '%5c..%5c',
    '..%00',
    '%2e%2e/%2e%2e/package.json',
    'none.js',
    '%zz',
  ]) {
    for (const folder of ['/docs/', '/docs/static/', '/openapi/']) {
      const { status = 0, body } = await ask(`${folder}${path}`)
      t.ok([400, 404].includes(status), `${folder}${path}: ${status}`)
      t.match(JSON.parse(body), { code: status, data: null, msg: String })
    }
  }
  t.same(
    lines.filter(({ level }) => Number(level) >= 40),
    [],
  )
})

t.test('a token is entered once for all documents, bare or not', { skip: browserMissing }, async (t) => {
  const tokens: (string | null)[] = []
  const app = await site(t, { basePath: '/steward', tokens })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `${address}/steward/docs`
  const { page, requests } = await openPage(t, await startBrowser(t), { url, expected: [/401/] })
  const isShown = (title: string) =>
    page.waitForFunction(`document.querySelector('.info .title')?.textContent.startsWith(${JSON.stringify(title)})`)
  const [first, ...others] = documents
  await isShown(first?.title ?? '')
  await page.click('.btn.authorize')
  await (await page.waitForSelector('.modal-ux input'))?.type('Bearer abc')
  await page.click('.modal-ux .btn.authorize')
  await page.click('.modal-ux .btn-done')
  for (const { name, title, operations } of others) {
    await page.select('#document', name)
    await isShown(title)
    await page.waitForSelector('.btn.authorize.locked')
    const { tag, id } = operations.find(({ method, secured }) => method === 'GET' && secured) ?? { tag: '', id: '' }
    await page.click(`#operations-tag-${tag}`)
    const block = `#operations-${tag}-${id}`
    await (await page.waitForSelector(`${block} .opblock-summary-control`))?.click()
    await (await page.waitForSelector(`${block} .try-out__btn`))?.click()
    await (await page.waitForSelector(`${block} .execute`))?.click()
    await page.waitForSelector(`${block} .live-responses-table`)
  }
  t.same(
    tokens,
    others.map(() => 'abc'),
  )
  t.same(
    requests.filter((request) => !request.startsWith(`${address}/steward/`) && !request.startsWith('data:')),
    [],
  )
})

t.test('under a base path everything moves along', async (t) => {
  const app = await site(t, { basePath: '/console/steward' })
  const page = await app.inject({ url: '/console/steward/docs' })
  for (const asset of assetsOf(page.body)) {
    const { pathname } = new URL(asset, 'http://localhost/console/steward/docs')
    t.equal((await app.inject({ url: pathname })).statusCode, 200, pathname)
  }
  t.match((await app.inject({ url: '/console/steward/api/base/ping' })).json(), { code: 0 }, 'the operation is there')
  t.match((await app.inject({ url: '/console/steward/api/nothing' })).json(), { code: 404 })
  t.equal((await app.inject({ url: '/api/base/ping' })).statusCode, 404)
  for (const { name, prefix } of documents) {
    const json = (await app.inject({ url: `/console/steward/openapi/${name}.json` })).json()
    const yaml = parse((await app.inject({ url: `/console/steward/openapi/${name}.yaml` })).body)
    t.same(yaml, json)
    const [{ url, variables }] = json.servers
    const filled = url.replace(/\{(\w+)\}/, (_: string, variable: string) => variables[variable].default)
    t.equal(filled, `/console/steward${prefix}`, 'and the documents say so')
  }
})

t.test('a method that a path does not have is 405, and Allow names those it has', async (t) => {
  const noted: [method: string, path: string, code: number][] = []
  const journal = {
    covers: () => true,
    admits: () => true,
    note: ({ method, path, code }: AnsweredRequest) => void noted.push([method, path, code]),
  }
  const app = await site(t, { basePath: '/steward', journal })
  for (const { prefix, envelope, operations } of documents) {
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const filled = path.replaceAll(/\{\w+\}/g, '7')
      // `/devices/7` has what `/devices/{id}` has, and `/devices/heartbeat` what both have.
      const here = operations
        .filter((operation) => pathPattern(operation.path).test(filled))
        .map(({ method }) => method)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (here.some((one) => one === method)) continue
        const reply = await app.inject({
          method,
          url: `/steward${prefix}${filled}?token=x`,
          headers: { 'content-type': 'application/json' },
          ...(method !== 'HEAD' && method !== 'GET' && { payload: '{' }),
        })
        const where = `${method} ${prefix}${path}`
        t.equal(reply.statusCode, 405, where)
        t.same(String(reply.headers.allow).split(', ').toSorted(), [...new Set(here)].toSorted(), where)
        t.same(noted.at(-1), [method, `${prefix}${filled}`.slice('/api'.length), 405], `${where} is noted`)
        if (method === 'HEAD') continue
        const words = envelope === 'msg' ? 'msg' : 'message'
        t.match(reply.json(), { code: 405, data: null, [words]: `this path does not support ${method}, only ` }, where)
      }
    }
  }
})

t.test('every answer carries the headers a browser should see', async (t) => {
  const { app } = await service(t)
  for (const url of ['/api/ping', '/api/nothing', '/docs', '/elsewhere', '/api/books/%zz']) {
    t.match((await app.inject({ url })).headers, {
      'x-content-type-options': 'nosniff',
      'x-frame-options': String,
      'referrer-policy': 'no-referrer',
      'strict-transport-security': String,
      'content-security-policy': /frame-ancestors 'none'/,
      'x-request-id': String,
    })
  }
  t.notOk((await app.inject({ url: '/api/ping' })).headers['x-powered-by'])
})

t.test('other origins are allowed only where they are named', async (t) => {
  const origin = 'https://console.example.org'
  const preflight = {
    method: 'OPTIONS',
    url: '/api/books',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  } as const
  const off = (await service(t)).app
  t.equal((await off.inject(preflight)).statusCode, 405)
  t.notOk((await off.inject({ url: '/api/ping', headers: { origin } })).headers['access-control-allow-origin'])
  const on = (await service(t, { config: { corsOrigins: [origin] } })).app
  t.match(await on.inject(preflight), {
    statusCode: 204,
    headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': /authorization/ },
  })
  t.equal((await on.inject({ url: '/api/ping', headers: { origin } })).headers['access-control-allow-origin'], origin)
  const exposed = (await on.inject({ url: '/api/ping', headers: { origin } })).headers['access-control-expose-headers']
  t.same(
    String(exposed).split(', ').sort(),
    // `allow` comes with a 405, which no operation documents; `cache-control` and `content-type` may be read anyway, and
    // no page can read `set-cookie`.
    [...documentedHeaders(), 'allow']
      .filter((name) => !['cache-control', 'content-type', 'set-cookie'].includes(name))
      .sort(),
    'a page of another origin can read every header that a document names',
  )
  const foreign = await on.inject({ url: '/api/ping', headers: { origin: 'https://evil.example' } })
  t.notOk(foreign.headers['access-control-allow-origin'])
})
