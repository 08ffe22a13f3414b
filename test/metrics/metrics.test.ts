import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { openMetrics } from '../../src/metrics/open-metrics.ts'
import { openLifetime } from '../../src/runtime/lifetime.ts'
import { noLog } from '../../src/runtime/log.ts'
import { testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { person } from '../people/console.ts'
import { postgresMissing, startPostgres } from '../postgres-server.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

/** The samples, by name and labels as they are written. */
type Samples = Record<string, number>

const samplesOf = (text: string): Samples =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name = '', value = ''] = /^(.*) (\S+)$/.exec(line) ?? []
        return [name, Number(value)]
      }),
  )

const scrape = async (url: string | null, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url ?? 'http://there-are-no-metrics', { headers })

const read = async ({ metricsUrl }: TestSteward): Promise<Samples> => {
  const reply = await scrape(metricsUrl)
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
  return samplesOf(await reply.text())
}

const on = { METRICS_PORT: '0' }

t.test('is off without its setting', async (t) => {
  const s = await steward(t, { directory: 'none' })
  t.equal(s.metricsUrl, null)
})

t.test('counts requests by operation and code', async (t) => {
  const s = await steward(t, { directory: 'none', env: on })
  const before = await read(s)
  await s.take('listUsers')
  await s.take('listUsers')
  await s.call('listUsers')
  await s.ask('addUser', { body: person('') })
  await s.app.inject({ url: '/api/nothing/here', headers: { authorization: `Bearer ${s.token}` } })
  const after = await read(s)
  const more = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0)
  t.equal(more('steward_http_requests_total{operation="listUsers",code="0"}'), 2)
  t.equal(more('steward_http_requests_total{operation="listUsers",code="401"}'), 1)
  t.equal(more('steward_http_requests_total{operation="addUser",code="400"}'), 1)
  t.equal(more('steward_http_requests_total{operation="",code="404"}'), 1)
  t.equal(more('steward_http_request_duration_seconds_count{operation="listUsers"}'), 3)
  t.equal(more('steward_http_request_duration_seconds_bucket{le="+Inf",operation="listUsers"}'), 3)
  t.ok(more('steward_http_request_duration_seconds_sum{operation="listUsers"}') > 0)
  t.ok((after.nodejs_heap_size_used_bytes ?? 0) > 0)
})

t.test('tells what waits for the directory, and for how long', { skip: skipWithoutSlapd }, async (t) => {
  const directory = await testSlapd(t)
  const s = await steward(t, { directory, env: { ...on, DIRECTORY_WAIT: '100ms' } })
  const waiting = 'steward_directory_waiting_records{directory="1"}'
  const oldest = 'steward_directory_oldest_change_seconds{directory="1"}'
  await eventually(async () => (await read(s))[waiting] === 0, 'everything is there')
  t.equal((await read(s))[oldest], 0)
  await directory.stop()
  await s.take('addUser', { body: person('held-back-person') })
  await eventually(async () => ((await read(s))[oldest] ?? 0) > 1, 'the change has waited for a second')
  t.equal((await read(s))[waiting], 1)
  t.notMatch(await (await scrape(s.metricsUrl)).text(), 'held-back-person')
  await directory.start()
  await eventually(async () => (await read(s))[waiting] === 0, 'it is there')
  t.equal((await read(s))['steward_directory_refused_records{directory="1"}'], 0)
})

t.test('tells of runs, backups, alerts and the score', async (t) => {
  const s = await steward(t, { env: on })
  const before = await read(s)
  const backup = 'steward_backup_last_success_timestamp_seconds'
  t.notOk(backup in before, 'what never was has no time')
  const ofStandby = Object.keys(before).filter((name) => name.startsWith('steward_standby_'))
  t.same(ofStandby, [], 'there is no standby')
  const began = Date.now() / 1000
  await s.take('createBackup', { body: { type: 'manual' } })
  await s.take('compareDirectory', { body: { kind: 'users' } })
  await s.take('callForHelp', { body: { type: 'fire', description: 'in the server room' } })
  const isNow = (seconds = 0): boolean => seconds > began - 2 && seconds < Date.now() / 1000 + 2
  await eventually(async () => isNow((await read(s))[backup]), 'the backup is made')
  const after = await read(s)
  t.ok(isNow(after['steward_run_last_success_timestamp_seconds{source="sql",kind="users"}']))
  t.same(after['steward_runs{state="running"}'], 0)
  t.same(after['steward_runs{state="held"}'], 0)
  const danger = 'steward_open_alerts{level="danger"}'
  t.equal((after[danger] ?? 0) - (before[danger] ?? 0), 1)
  t.equal(after.steward_database_up, 1)
  t.equal(typeof after.steward_waiting_notifications, 'number')
  t.equal(typeof after.steward_operation_log_waiting_entries, 'number')
})

t.test('answers GET /metrics with its token alone', async (t) => {
  const token = 'a-token-of-prometheus'
  const s = await steward(t, { directory: 'none', env: { ...on, METRICS_TOKEN: token } })
  const asked = (headers: Record<string, string>) => scrape(s.metricsUrl, headers)
  t.equal((await asked({ authorization: `Bearer ${token}` })).status, 200)
  for (const wrong of ['', 'Bearer', `Bearer ${token}x`, `bearer ${token}`, `Basic ${token}`, `Bearer ${s.token}`]) {
    const reply = await asked(wrong === '' ? {} : { authorization: wrong })
    t.same([reply.status, reply.headers.get('www-authenticate')], [401, 'Bearer'], wrong)
    t.notMatch(await reply.text(), 'steward_')
  }
  const place = new URL(s.metricsUrl ?? '')
  const status = (method: string, path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: place.hostname, port: place.port, method, path }, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
      sent.on('error', reject).end()
    })
  t.equal(await status('POST', '/metrics'), 405)
  t.equal(await status('GET', '/'), 404)
  t.equal(await status('GET', '//metrics/../x'), 404)
  t.notMatch(s.logs.join('\n'), token)
})

t.test('a client that floods it keeps no one out and does not hold up the service', async (t) => {
  const s = await steward(t, { directory: 'none', env: on })
  const { hostname: host, port } = new URL(s.metricsUrl ?? '')
  const text = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(50)
  const sockets = Array.from({ length: 300 }, () => {
    // Another machine: connections of one address make room for those of others.
    const socket = connect({ host, port: Number(port), localAddress: '127.0.0.2' })
    socket.on('error', () => {}).pause()
    socket.write(text)
    return socket
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : null)))
  t.ok((await read(s)).process_resident_memory_bytes)
  await s.take('listUsers')
  for (const socket of sockets) socket.resume()
  const closed = (): number => sockets.filter((socket) => socket.destroyed).length
  await eventually(() => closed() >= 300 - 64, 'no more than 64 connections are kept')
})

t.test('goes on without the database', { skip: postgresMissing }, async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.dispose())
  const { atEnd, end } = openLifetime(noLog)
  t.teardown(end)
  const database = await openDatabase({ url: server.url, dataDir: t.testdir(), log: noLog })
  atEnd(database.close)
  const settings = { host: '127.0.0.1', port: 0, token: null }
  const { url } = await openMetrics({
    database,
    settings,
    receiver: null,
    logWaiting: () => 7,
    directoryPools: () => [],
    atEnd,
    log: noLog,
  })
  const now = async (): Promise<Samples> => samplesOf(await (await scrape(url)).text())
  t.equal((await now()).steward_database_up, 1)
  await server.stop('immediate')
  await eventually(async () => (await now()).steward_database_up === 0, 'it is away')
  const away = await now()
  t.equal(away.steward_operation_log_waiting_entries, 7)
  t.same(
    Object.keys(away).filter((name) => /^steward_(runs|open_alerts|waiting_notifications|security_score)/.test(name)),
    [],
  )
  await server.start()
  await eventually(async () => (await now()).steward_database_up === 1, 'it is back')
})

t.test('tells what the connections to PostgreSQL do', { skip: postgresMissing }, async (t) => {
  const s = await steward(t, { directory: 'none', env: on, database: await testServerDatabase(t) })
  const figures = async () => {
    const samples = await read(s)
    const connections = (state: string) => samples[`steward_database_pool_connections{pool="main",state="${state}"}`]
    return {
      ...{ used: connections('used'), idle: connections('idle') },
      waiting: samples['steward_database_pool_waiting{pool="main"}'],
    }
  }
  // The work of the service itself holds a connection now and then.
  const become = (used: number, idle: number, what: string) =>
    eventually(async () => {
      const found = await figures()
      return found.used === used && found.idle === idle && found.waiting === 0
    }, what)
  await become(0, 10, 'nothing is under way')
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = (): Promise<void> => s.db.transaction(() => released)
  const few = [hold(), hold(), hold()]
  await become(3, 7, 'three transactions are under way')
  const more = Array.from({ length: 9 }, hold)
  const full = await eventually(async () => {
    const found = await figures()
    return found.used === 10 && found.idle === 0 && (found.waiting ?? 0) >= 2 && found
  }, 'all connections are used, and two transactions wait')
  t.ok((full.waiting ?? 0) >= 2)
  release()
  await Promise.all([...few, ...more])
  await become(0, 10, 'nothing is under way any more')
})

t.test('tells what the connections to a directory do', { skip: skipWithoutSlapd }, async (t) => {
  const directory = await testSlapd(t)
  const s = await steward(t, { directory, env: { ...on, DIRECTORY_WAIT: '100ms' } })
  const figure = async (state: string): Promise<number> =>
    (await read(s))[`steward_directory_pool_connections{directory="1",state="${state}"}`] ?? -1
  await eventually(async () => (await figure('used')) === 0 && (await figure('idle')) > 0, 'nothing is under way')
  directory.freeze()
  await s.take('addUser', { body: person('on-the-way') })
  await eventually(async () => (await figure('used')) > 0, 'a write is under way')
  t.equal((await read(s))['steward_directory_pool_waiting{directory="1"}'], 0)
  directory.thaw()
  await eventually(async () => (await figure('used')) === 0, 'it is written')
})

t.test('a port that is taken is named', async (t) => {
  const port = String(await freePort())
  await steward(t, { directory: 'none', env: { METRICS_PORT: port } })
  const second = steward(t, { directory: 'none', env: { METRICS_PORT: port } })
  await t.rejects(second, /METRICS_PORT: port \d+ of 127.0.0.1 is in use/)
})

t.test('the documentation has every metric, and the dashboard has no other', async (t) => {
  const s = await steward(t, { env: on })
  const text = await (await scrape(s.metricsUrl)).text()
  const ours = [...text.matchAll(/^# TYPE (steward_\w+) /gm)].map(([, name]) => name).sort()
  const page = readFileSync('docs/metrics.md', 'utf8')
  const documented = [...page.matchAll(/^\| `(steward_\w+)`/gm)].map(([, name]) => name).sort()
  t.same(documented, ours)
  const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  const dashboard = readFileSync('deploy/grafana/steward.json', 'utf8')
  const used = [...`${dashboard}\n${page}`.matchAll(/\b(steward|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
  t.ok(used.length > 20)
  t.same(
    [...new Set(used)].filter((name) => !known.has(name)),
    [],
  )
  t.ok(JSON.parse(dashboard).panels.length > 10)
})
