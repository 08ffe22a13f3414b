import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { generateOrganisation } from '../../scripts/fakes/organisation.ts'
import { parseConfig } from '../../src/config/config.ts'
import { openLifetime } from '../../src/runtime/lifetime.ts'
import { noLog } from '../../src/runtime/log.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { isTracing, traced } from '../../src/tracing/span.ts'
import type { Teardown } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'
import { startCloud } from '../sync/clouds.ts'

interface Received {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number; message?: string }
}

interface Collected {
  url: string
  spans: Received[]
  /** All that came, as text. */
  text(): string
  headers: Record<string, unknown>[]
}

/** A collector of OTLP/HTTP, in JSON. */
const collector = async (t: Teardown): Promise<Collected> => {
  const spans: Received[] = []
  const headers: Record<string, unknown>[] = []
  let all = ''
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    all += text
    headers.push({ url: request.url, ...request.headers })
    for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const { spans: more } of scopeSpans) spans.push(...more)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, text: () => all, headers }
}

const valuesOf = ({ attributes }: Received): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

t.test('is off without an endpoint', async (t) => {
  const s = await steward(t, { directory: 'none' })
  t.equal(s.config.tracing, null)
  t.notOk(isTracing())
  t.equal(await traced('x', {}, async (span) => span), null)
})

t.test('the settings of OpenTelemetry are read, and wrong ones refused by their names', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
  const usual = { url: 'http://127.0.0.1:4318/v1/traces', headers: {}, serviceName: 'steward' }
  t.same(parseConfig(endpoint).tracing, { ...usual, sampler: 'parentbased_always_on', ratio: 1 })
  t.equal(parseConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).tracing, null)
  const more = {
    ...{ OTEL_SERVICE_NAME: 'people', OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x=y=z' },
    ...{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
  }
  t.match(parseConfig({ ...endpoint, ...more }).tracing, {
    ...{ serviceName: 'people', sampler: 'traceidratio', ratio: 0.25 },
    headers: { 'api-key': 'a b', x: 'y=z' },
  })
  const wrong = (name: string, value: string) => t.throws(() => parseConfig({ ...endpoint, [name]: value }), name)
  for (const value of ['127.0.0.1:4318', 'grpc://x', 'http://u:p@x', 'http://x?y']) {
    wrong('OTEL_EXPORTER_OTLP_ENDPOINT', value)
  }
  for (const value of ['2', '-1', 'x']) wrong('OTEL_TRACES_SAMPLER_ARG', value)
  for (const value of ['x', '=1', 'a=%zz']) wrong('OTEL_EXPORTER_OTLP_HEADERS', value)
  wrong('OTEL_TRACES_SAMPLER', 'jaeger_remote')
  t.throws(() => parseConfig({ OTEL_SDK_DISABLED: 'maybe' }), /OTEL_SDK_DISABLED: expected on or off/)
})

t.test('a request and what it is made of', { skip: skipWithoutSlapd }, async (t) => {
  const { url, spans, text, headers } = await collector(t)
  const directory = await testSlapd(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=letters', LOG_LEVEL: 'info' }
  const s = await steward(t, { directory, env })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await s.app.inject({
    ...{
      method: 'POST',
      url: '/api/user/add',
      payload: { ...person('secret-name'), password: 'a password of theirs' },
    },
    headers: { authorization: `Bearer ${s.token}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  await s.app.inject({ url: '/api/user/list?nickname=secret-query', headers: { authorization: `Bearer ${s.token}` } })
  await s.app.inject({ url: '/api/secret-path/x', headers: { traceparent: '00-not-a-parent' } })
  await s.close()
  t.notOk(isTracing())
  t.match(headers[0], { url: '/v1/traces', 'api-key': 'letters' })

  const named = (name: string) => spans.filter((span) => span.name === name)
  const [added] = named('addUser')
  t.match(added, { traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  t.match(added && valuesOf(added), {
    ...{ 'http.request.method': 'POST', 'http.route': '/api/user/add' },
    ...{ 'http.response.status_code': 200, 'steward.code': 0 },
  })
  const below = spans.filter((span) => span.traceId === traceId && span.name !== 'addUser')
  t.ok(below.some(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === added?.spanId))
  const settle = below.find(({ name }) => name === 'directory settle')
  t.equal(settle?.parentSpanId, added?.spanId)
  const write = spans.find(({ name }) => name === 'ldap add')
  t.equal(write && valuesOf(write)['ldap.result_code'], 0)
  t.match(named('listUsers').map(valuesOf), [{ 'http.route': '/api/user/list' }])
  const lost = named('GET').map(valuesOf)
  t.same(
    lost.map((values) => values['steward.code']),
    [404],
  )
  t.ok(named('directory round').length > 0)
  for (const secret of ['secret-', s.token, 'theirs', 'dc=', 'cn=', 'ou=', '@', 'admin', '127.0.0.1:'])
    t.notMatch(text(), secret, `not ${secret}`)
  t.notMatch(s.logs.join('\n'), /letters/)
  const known = new Set(spans.flatMap((span) => span.attributes.map(({ key }) => key)))
  t.same(
    [...known].filter(
      (key) =>
        !/^(http\.(request\.method|route|response\.status_code)|db\.system\.name|ldap\.(result_code|writes)|steward\.(code|records|kind))$/.test(
          key,
        ),
    ),
    [],
  )
})

/** Passes requests on to a cloud, and keeps their headers. */
const recorder = async (t: Teardown, cloud: string): Promise<{ url: string; headers: IncomingHttpHeaders[] }> => {
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (asked, response) => {
    headers.push(asked.headers)
    const { hostname, port } = new URL(cloud)
    const { method, url: path, headers: given } = asked
    const forwarded = request({ hostname, port, path, method, headers: given }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers }
}

t.test('calls of a platform, which learns nothing of traces, and jobs', async (t) => {
  const { url, spans, text } = await collector(t)
  const organisation = generateOrganisation({ seed: 3, people: 20, departments: 4, depth: 2 })
  const { cloud, env } = await startCloud(t, 'exta', organisation)
  const platform = await recorder(t, cloud.url)
  const s = await steward(t, {
    directory: 'none',
    env: {
      ...{ ...env, EXTA_URL: platform.url, EXTA_API_URL: platform.url },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: url, DRIFT_INTERVAL: '1s' },
    },
  })
  const headers = { authorization: `Bearer ${s.token}`, traceparent: `00-${'4bf9'.repeat(8)}-00f067aa0ba902b7-01` }
  for (const path of ['syncExtADepts', 'syncExtAUsers']) {
    const reply = await s.app.inject({ ...{ method: 'POST', url: `/api/${groupOf(path)}/${path}` }, headers })
    t.match(reply.json(), { code: 0 }, path)
  }
  await eventually(() => spans.some(({ name }) => name === 'job drift'), 'a job has run')
  await s.close()

  const calls = spans.filter(({ name }) => /^platform (GET|POST)$/.test(name))
  t.equal(calls.length, platform.headers.length, 'each call has a span')
  for (const call of calls) {
    t.equal(call.kind, 3, 'of a client')
    t.same(valuesOf(call), {
      'http.request.method': call.name.slice('platform '.length),
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    })
  }
  const said = platform.headers.flatMap((each) => Object.keys(each))
  t.ok(said.includes('user-agent') || said.includes('accept'))
  t.same(
    said.filter((name) => /^(traceparent|tracestate|baggage|b3|x-b3-.*|uber-trace-id)$/.test(name)),
    [],
  )
  const job = spans.find(({ name }) => name === 'job drift')
  t.notOk(job?.parentSpanId, 'a job is a trace of its own')
  const secrets = Object.values(cloud.credentials)
  for (const secret of [...secrets, ...organisation.people.map(({ name }) => name)]) t.notMatch(text(), secret)
})

const groupOf = (operation: string): string => (operation.endsWith('Depts') ? 'group' : 'user')

t.test('a collector that is away or hangs costs nothing but spans', async (t) => {
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    hanging.close()
    hanging.closeAllConnections()
  })
  const ports = [await freePort(), (hanging.address() as AddressInfo).port]
  for (const port of ports) {
    const warned: unknown[] = []
    const { atEnd, end } = openLifetime(noLog)
    const log = { ...noLog, warn: (...said: unknown[]) => void warned.push(...said) }
    const settings = parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }).tracing
    await openTracing({ settings, log, atEnd })
    for (let i = 0; i < 10_000; i++) await traced('work', {}, async () => i)
    await t.rejects(
      traced('work', {}, async () => {
        throw new Error('of the work')
      }),
      /of the work/,
    )
    await eventually(() => warned.length > 0, 'it is told')
    await end()
    t.notOk(isTracing())
    t.same(warned, ['the OpenTelemetry collector does not take spans: they are dropped'])
  }
})
