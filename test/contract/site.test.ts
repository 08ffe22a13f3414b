import { readFileSync } from 'node:fs'
import pino from 'pino'
import t from 'tap'
import { parse } from 'yaml'
import { buildApp } from '../../src/app.ts'
import { inputReaders } from '../../src/contract/input.ts'
import type { Mounted } from '../../src/contract/mount.ts'
import { AppError } from '../../src/errors.ts'
import { documents } from '../../src/generated/documents.ts'
import { service } from './service.ts'

/** The shipped documents, with handlers that nobody calls here. */
const site = async (t: { teardown: (run: () => unknown) => void }, basePath = '') => {
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
    authenticate: async () => {
      throw new AppError('unauthenticated', 'sign in first')
    },
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

t.test('every input schema of the contract compiles', async () => {
  for (const document of documents) {
    const readerOf = inputReaders()
    for (const operation of document.operations) {
      try {
        readerOf(operation)({ params: {}, query: {}, body: undefined })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
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
  t.match(await app.inject({ url: '/' }), { statusCode: 302, headers: { location: '/docs' } })
  const page = await app.inject({ url: '/docs' })
  t.equal(page.statusCode, 200)
  const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => String(url))
  t.ok(assets.length >= 4)
  for (const url of assets) t.equal((await app.inject({ url })).statusCode, 200, url)
  t.notMatch(page.body, /<script>|https?:/, 'so that its content security policy holds')
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /default-src 'self'/)
  t.notMatch(policy, /script-src|unsafe-eval|https?:/)
  t.notMatch(policy, /upgrade-insecure-requests/)
  const start = (await app.inject({ url: '/docs/static/swagger-initializer.js' })).body
  for (const { name } of documents) t.ok(start.includes(`/openapi/${name}.json`), name)
})

t.test('under a base path everything moves along', async (t) => {
  const app = await site(t, '/console/steward')
  t.match(await app.inject({ url: '/console/steward/' }), {
    statusCode: 302,
    headers: { location: '/console/steward/docs' },
  })
  const page = await app.inject({ url: '/console/steward/docs' })
  for (const [, url] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    t.equal((await app.inject({ url: String(url) })).statusCode, 200, String(url))
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
  t.equal((await off.inject(preflight)).statusCode, 404)
  t.notOk((await off.inject({ url: '/api/ping', headers: { origin } })).headers['access-control-allow-origin'])
  const on = (await service(t, { config: { corsOrigins: [origin] } })).app
  t.match(await on.inject(preflight), {
    statusCode: 204,
    headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': /authorization/ },
  })
  t.equal((await on.inject({ url: '/api/ping', headers: { origin } })).headers['access-control-allow-origin'], origin)
  const foreign = await on.inject({ url: '/api/ping', headers: { origin: 'https://evil.example' } })
  t.notOk(foreign.headers['access-control-allow-origin'])
})
