import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { openOutbox, outboxOptions } from '../../src/alerts/notifications/outbox.ts'
import { cutOldEntries } from '../../src/audit/cut.ts'
import { type LogEntry, sealMethod, sealPaths } from '../../src/audit/entry.ts'
import { logKeys } from '../../src/audit/keys.ts'
import { messageOf } from '../../src/audit/syslog/message.ts'
import { receiverOf } from '../../src/audit/syslog/settings.ts'
import { type LogStreamOptions, openLogStream, trySyslog } from '../../src/audit/syslog/stream.ts'
import { openOperationLog } from '../../src/audit/writer.ts'
import { parseConfig } from '../../src/config/config.ts'
import { alerts, logReceivers, operationLogs } from '../../src/db/schema.ts'
import { makeCertificate } from '../certificate.ts'
import { postgresMissing, silent, type Teardown, testDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { steward } from '../steward.ts'
import { logEntry } from './log-entry.ts'
import { type Receiver, seqOf, syslogReceiver } from './syslog-receiver.ts'

const secret = 'a-secret-for-this-test-only-long-enough'
const keys = logKeys([secret])
const day = 86_400_000

const database = await testDatabase(t)
const { db } = database
t.beforeEach(() => database.reset())

const write = async (count: number, changes: Partial<LogEntry> = {}, of = db, signing = keys): Promise<void> => {
  const log = openOperationLog({ db: of, keys: signing, log: silent })
  for (let i = 1; i <= count; i++) log.append(logEntry({ remark: `entry ${i}`, ...changes }))
  await log.close()
}

const outbox = openOutbox(outboxOptions(parseConfig({})))

const streaming = (t: Teardown, { settings }: Pick<Receiver, 'settings'>, more: Partial<LogStreamOptions> = {}) => {
  const stream = openLogStream({ db, outbox, settings, log: silent, every: 10, timeout: 2000, ...more })
  t.teardown(stream.stop)
  stream.start()
  return stream
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)
const arrived = (receiver: Receiver, last: number) =>
  eventually(() => receiver.seqs().includes(last), `entry ${last} arrives`)
const position = async ({ settings }: Pick<Receiver, 'settings'>): Promise<number> => {
  const [row] = await db
    .select()
    .from(logReceivers)
    .where(eq(logReceivers.receiver, receiverOf(settings)))
  return row?.seq ?? 0
}
const taken = (receiver: Pick<Receiver, 'settings'>, seq: number) =>
  eventually(async () => (await position(receiver)) === seq, `${seq} is taken`)

/** The checker of an administrator, in a process that knows nothing of Steward. */
const check = (lines: readonly string[], key: string | null = secret): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      [resolve('deploy/syslog/check-log.mjs')],
      { env: key === null ? {} : { LOG_KEY: key } },
      (error, output) => done({ code: error === null ? 0 : Number(error.code), output }),
    )
    child.stdin?.end(`${lines.join('\n')}\n`)
  })

t.test('a message', async (t) => {
  const options = { appName: 'steward', facility: 13, host: 'host.example', maxBytes: 2048 }
  const chained = (changes: Partial<LogEntry> = {}) => ({ ...logEntry(changes), seq: 7, hash: 'k.seven' })
  const text = (changes: Partial<LogEntry>, previous: string | null = 'k.six') =>
    messageOf(chained(changes), previous, options)

  await t.test('is one of RFC 5424 with the place and the hashes', async (t) => {
    const startTime = new Date('2026-11-25T09:30:12.345Z')
    const [head = '', body = ''] = text({ startTime, target: [3] }).split('\u{feff}')
    t.equal(
      head,
      '<109>1 2026-11-25T09:30:12.345Z host.example steward - POST [steward@32473 seq="7" hash="k.seven" previous="k.six"] ',
    )
    const { remark, target, times, preview } = JSON.parse(body)
    t.same([remark, target, times, preview], ['Add a user', [3], 1, false])
    t.match(text({}, ''), / previous="-"\]/, 'the first entry')
    t.notMatch(text({}, null), /previous/, 'what is before it is removed')
  })

  await t.test('has its severity from what the entry is', async (t) => {
    const severity = (changes: Partial<LogEntry>): number => Number(/^<(\d+)>1 /.exec(text(changes))?.[1]) - 13 * 8
    t.equal(severity({ method: 'GET' }), 6)
    t.equal(severity({ method: 'POST' }), 5)
    t.equal(severity({ method: 'GET', status: 200 }), 6)
    t.equal(severity({ status: 403 }), 4)
    t.equal(severity({ status: 503 }), 3)
    t.equal(severity({ method: sealMethod, path: sealPaths.lost, status: 500 }), 2)
    t.equal(severity({ method: sealMethod, path: sealPaths.doubt, status: 500 }), 2)
    t.equal(severity({ method: sealMethod, path: sealPaths.clean }), 4)
    t.equal(severity({ method: sealMethod, path: sealPaths.cut }), 5)
  })

  await t.test('is one line without control characters, whatever a row holds', async (t) => {
    const remark = 'a\nb\r\0\u{1b}[2J\u{7f}\u{85}\u{9b}\u{2028}\u{2029}\u{feff}\ud800"\\] 7 <1>1'
    const message = text({ remark, username: '王', method: 'GE T"\n]', path: '/x] [steward@32473 seq="1"' })
    t.notMatch(message, /[\p{Control}\p{Surrogate}\u{2028}\u{2029}]/u)
    t.match(message, / - GE_T"_\] \[steward@32473 seq="7" hash/)
    t.equal(message.split('\u{feff}').length, 2)
    const { remark: read, username } = JSON.parse(message.split('\u{feff}')[1] ?? '')
    t.same([read, username], [remark, '王'])
    t.equal(messageOf({ ...chained(), hash: 'a"]\\\nb é' }, null, options).match(/ hash="[\w.]+"\]/)?.length, 1)
    t.match(text({ startTime: new Date(Number.NaN) }), /^<109>1 - host/)
  })

  await t.test('is never longer than its limit, and says that something is left out', async (t) => {
    const bytes = (message: string) => Buffer.byteLength(message)
    const many = text({ target: range(1, 5000) })
    t.ok(bytes(many) <= 2048)
    t.ok(bytes(many) > 1000, 'no more is left out than has to be')
    t.match(many, / cut="true"\]/)
    t.same(JSON.parse(many.split('\u{feff}')[1] ?? '').target.slice(0, 3), [1, 2, 3])
    const long = '\u{1b}王'.repeat(20_000)
    const everything = text({ username: long, ip: long, method: long, path: long, remark: long, userAgent: long })
    t.ok(bytes(everything) <= 2048, `${bytes(everything)}`)
    t.notMatch(text({}), /cut=/)
  })
})

t.test('a receiver gets the whole log over TLS, and checks the chain by itself', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  await write(1203, { target: [1, 2, 3], times: 2 })
  await write(3, { username: '王 "小" \\ ]', preview: true, userAgent: 'x\u{2028}y' })
  streaming(t, receiver)
  await taken(receiver, 1206)
  t.same(receiver.seqs(), range(1, 1206))
  t.match(await check(receiver.messages), { code: 0, output: '1206 entries, 1 to 1206; 0 came again; 0 only linked\n' })
  const twice = [...receiver.messages, ...receiver.messages.slice(40, 50)]
  t.match(await check(twice), { code: 0, output: /; 10 came again/ })
  t.match(await check(receiver.messages, null), { code: 0, output: /; 1206 only linked/ })
  const changed = receiver.messages.map((line, i) => (i === 50 ? line.replace('entry 51', 'entry 52') : line))
  t.match(await check(changed), { code: 1, output: '51: is not what was written\n' })
  const without = receiver.messages.filter((_, i) => i !== 50)
  t.match(await check(without, null), { code: 1, output: '51 to 51: missing\n' })
  const forged = receiver.messages.map((line, i) => (i === 50 ? line.replace(/hash="[^"]*"/, 'hash="x.y"') : line))
  t.match(await check(forged, null), { code: 1, output: '52: is not chained to 51\n' })
})

t.test('the checker knows former keys, and says when LOG_KEY is another one', async (t) => {
  const newer = 'a-newer-secret-for-this-test-which-is-long'
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  await write(10)
  await write(10, {}, db, logKeys([newer, secret]))
  streaming(t, receiver)
  await taken(receiver, 20)
  t.match(await check(receiver.messages, `${newer} ${secret}`), { code: 0, output: /; 0 only linked/ })
  // Who checks the log need not have the former key, which may be the one that signs tokens.
  t.match(await check(receiver.messages, newer), { code: 0, output: /; 10 only linked/ })
  t.match(await check(receiver.messages, secret), { code: 1, output: /^11: \w{8} signed it, .* 10 such entries$/m })
  t.match(await check(receiver.messages, 'another'), { code: 1, output: /^1: \w{8} signed it, .* 20 such entries$/m })
})

t.test('nothing is lost and the order stays', async (t) => {
  await t.test('while the receiver is down', async (t) => {
    const receiver = await syslogReceiver(t, { folder: t.testdir() })
    await write(10)
    const stream = streaming(t, receiver)
    await taken(receiver, 10)
    await receiver.stop()
    await write(700)
    await stream.stop()
    const second = streaming(t, receiver)
    await write(5)
    await receiver.start()
    await taken(receiver, 715)
    t.same(receiver.seqs(), range(1, 715), 'not one came twice')
    await second.stop()
  })

  await t.test('when the receiver dies while it reads', async (t) => {
    for (const tls of [true, false]) {
      await database.reset()
      const receiver = await syslogReceiver(t, { folder: t.testdir(), tls })
      await write(2000)
      // What it has read is gone with it.
      receiver.behave((socket) => socket.once('data', () => socket.destroy()))
      const stream = streaming(t, receiver)
      await eventually(() => receiver.connections() >= 2, 'it has died, and was tried again')
      t.equal(await position(receiver), 0)
      receiver.behave(null)
      await taken(receiver, 2000)
      t.same(receiver.seqs(), range(1, 2000))
      await stream.stop()
    }
  })

  await t.test('when the receiver closes without having read', async (t) => {
    for (const tls of [true, false]) {
      await database.reset()
      const receiver = await syslogReceiver(t, { folder: t.testdir(), tls })
      await write(3)
      receiver.behave((socket) => void socket.end())
      const stream = streaming(t, receiver)
      await eventually(() => receiver.connections() >= 2, 'it was tried again')
      t.equal(await position(receiver), 0, 'an end that came by itself is no receipt')
      receiver.behave(null)
      await taken(receiver, 3)
      t.same(receiver.seqs(), [1, 2, 3])
      await stream.stop()
    }
  })

  await t.test('when the receiver takes bytes and never reads or closes', async (t) => {
    const receiver = await syslogReceiver(t, { folder: t.testdir() })
    await write(20)
    receiver.behave((socket) => {
      socket.pause()
    })
    const logs: string[] = []
    const log = { ...silent, warn: (facts: unknown) => void logs.push(JSON.stringify(facts)) }
    streaming(t, receiver, { timeout: 300, log })
    await eventually(() => receiver.connections() >= 2, 'it was tried again')
    t.match(logs, [/did not close the connection within/])
    t.equal(logs.length, 1, 'an outage is one line')
    t.equal(await position(receiver), 0)
    receiver.behave(null)
    await taken(receiver, 20)
  })

  await t.test('when entries come while it sends', async (t) => {
    const receiver = await syslogReceiver(t, { folder: t.testdir(), tls: false })
    streaming(t, receiver)
    const log = openOperationLog({ db, keys, log: silent, delay: 1 })
    for (let i = 0; i < 100; i++) {
      for (let j = 0; j < 20; j++) log.append(logEntry())
      await log.flush()
    }
    await log.close()
    await taken(receiver, 2000)
    t.same(receiver.seqs(), range(1, 2000))
  })
})

t.test('whatever moment the sender is killed at, every entry arrives', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  const { tls, ...plain } = receiver.settings
  const settings = JSON.stringify({ ...plain, ca: tls?.ca?.() })
  const writing = spawn(process.execPath, [...process.execArgv, 'test/audit/log-writer.ts', url, secret])
  t.teardown(() => writing.kill('SIGKILL'))
  await once(writing.stdout, 'data')
  for (let kill = 1; kill <= 5; kill++) {
    const child = spawn(process.execPath, [...process.execArgv, ...['test/audit/log-streamer.ts', url, settings]])
    t.teardown(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    // The lease of a process that was killed lasts for up to half a minute; here it ends at once.
    const { openDatabase } = await import('../../src/db/client.ts')
    const own = await openDatabase({ url, dataDir: '', log: silent, upToDate: true })
    await own.db.update(logReceivers).set({ leaseUntil: null })
    const before = receiver.messages.length
    await eventually(() => receiver.messages.length > before + 40 * kill, 'more has arrived')
    if (kill === 5) {
      writing.kill('SIGKILL')
      await once(writing, 'close')
      const [row] = await own.db.execute<{ last: string }>(sql`select max(seq) as last from operation_logs`)
      await arrived(receiver, Number(row?.last))
    }
    child.kill('SIGKILL')
    await once(child, 'close')
    await own.close()
  }
  const seqs = [...new Set(receiver.seqs())]
  t.same(seqs, range(1, seqs.length), 'in order but for repeats')
  t.match(await check(receiver.messages), { code: 0 })
})

t.test('of two instances one sends, and the other takes over', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir(), tls: false })
  const first = streaming(t, receiver)
  streaming(t, receiver)
  for (let i = 1; i <= 10; i++) {
    await write(10)
    await taken(receiver, i * 10)
    if (i === 5) await first.stop()
  }
  t.same(receiver.seqs(), range(1, 100))
  // One that died has not let go.
  await db.execute(
    sql`update log_receivers set lease_owner = gen_random_uuid(), lease_until = now() + interval '1 hour'`,
  )
  await write(1)
  const connections = receiver.connections()
  await database.db.execute(sql`select pg_sleep(0.2)`)
  t.equal(receiver.connections(), connections, 'it waits for the lease')
  await db.execute(sql`update log_receivers set lease_until = now()`)
  await taken(receiver, 101)
})

t.test('LOG_RETENTION waits for the receiver', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir(), tls: false })
  const cut = () => {
    const report = async () => void t.fail('the log is broken')
    return cutOldEntries({ db, keys, retention: day, receiver: receiverOf(receiver.settings), report })
  }
  await write(20, { startTime: new Date(Date.now() - 10 * day) })
  t.equal(await cut(), 0, 'it has taken nothing yet')
  const stream = streaming(t, receiver)
  await taken(receiver, 20)
  await stream.stop()
  await write(5, { startTime: new Date(Date.now() - 10 * day) })
  t.equal(await cut(), 20)
  streaming(t, receiver)
  await taken(receiver, 26)
  t.same(receiver.seqs(), range(1, 26))
  t.match(await check(receiver.messages), { code: 0 }, 'the seal of the cut is chained, too')
})

t.test('entries that were removed while there was no receiver are a gap that the log explains', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir(), tls: false })
  await write(20, { startTime: new Date(Date.now() - 10 * day) })
  await cutOldEntries({ db, keys, retention: day, report: async () => void t.fail('the log is broken') })
  await write(2)
  streaming(t, receiver)
  await taken(receiver, 23)
  t.same(receiver.seqs(), [21, 22, 23])
  t.match(receiver.messages[0], /Removed 20 entries, 1 to 20/)
  t.match(await check(receiver.messages), { code: 0, output: /^3 entries, 21 to 23; .*1 only linked/ })
})

t.test('a database that was set back is sent again', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir(), tls: false })
  await write(20)
  const stream = streaming(t, receiver)
  await taken(receiver, 20)
  await stream.stop()
  await db.execute(sql`truncate operation_logs, operation_log_head`)
  await write(5, { remark: 'another history' })
  const second = streaming(t, receiver)
  await eventually(() => receiver.messages.length === 25, 'a shorter log')
  await taken(receiver, 5)
  await second.stop()
  await db.execute(sql`truncate operation_logs, operation_log_head`)
  await write(30, { remark: 'a third one' })
  streaming(t, receiver)
  await taken(receiver, 30)
  t.same(receiver.seqs(), [...range(1, 20), ...range(1, 5), ...range(1, 30)])
  t.match(await check(receiver.messages), { code: 1, output: /came with two hashes/ }, 'which the receiver can tell')
})

t.test('an alert is open while the receiver takes nothing', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  await receiver.stop()
  await write(3)
  const stream = streaming(t, receiver, { alertAfter: 0 })
  const [alert] = await eventually(async () => {
    const rows = await db.select().from(alerts)
    return rows.length > 0 && rows
  }, 'it is raised')
  t.match(alert, { rule: 'logNotStreamed', level: 'warning', handledAt: null })
  t.match(alert?.description, /^3 entries wait for 127\.0\.0\.1:\d+ since .*: connect ECONNREFUSED/)
  await stream.stop()
  await receiver.start()
  streaming(t, receiver)
  await eventually(async () => (await db.select().from(alerts))[0]?.handledAt, 'the next process closes it')
})

t.test('nothing is sent to a receiver that is not trusted', async (t) => {
  const folder = t.testdir({ other: {}, client: {} })
  const receiver = await syslogReceiver(t, { folder })
  const { ca, certificate, key } = await makeCertificate(join(folder, 'other'))
  await write(3)
  const told = (settings: Receiver['settings']) => trySyslog(settings).then(() => 'accepted', String)
  t.equal(await told(receiver.settings), 'accepted')
  const others = { ca: () => readFileSync(ca, 'utf8'), client: null }
  t.match(await told({ ...receiver.settings, tls: others }), /self-signed|unable to verify|certificate/)
  t.match(await told({ ...receiver.settings, host: 'localhost' }), /does not match certificate/)
  streaming(t, { settings: { ...receiver.settings, tls: others } })
  t.same(receiver.messages, [])

  const strict = await syslogReceiver(t, { folder: join(folder, 'client'), clientCa: others.ca() })
  t.match(await told(strict.settings), /certificate required|closed|ECONNRESET/i, 'it wants a certificate')
  const client = () => ({ cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') })
  const { tls } = strict.settings
  t.equal(await told({ ...strict.settings, tls: tls && { ...tls, client } }), 'accepted')
})

t.test('the service streams what is done, and measures what waits', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  const ca = join(t.testdirName, 'ca.crt')
  const s = await steward(t, {
    directory: 'none',
    env: {
      ...{ LOG_KEY: secret, METRICS_PORT: '0', SYSLOG_CA_FILE: ca, SYSLOG_APP_NAME: 'people' },
      SYSLOG_URL: `syslog+tls://127.0.0.1:${receiver.settings.port}`,
    },
  })
  await s.take('listUsers')
  const found = await eventually(() => receiver.messages.find((each) => each.includes('"/user/list"')), 'it arrives')
  t.match(found, /^<110>1 \S+ \S+ people - GET \[/)
  t.notMatch(receiver.messages.join('\n'), new RegExp(s.token.slice(0, 20)))
  const figure = async (name: string): Promise<string | undefined> => {
    const text = await (await fetch(s.metricsUrl ?? '')).text()
    return new RegExp(`^steward_${name} (.*)$`, 'm').exec(text)?.[1]
  }
  await eventually(async () => (await figure('log_stream_waiting_entries')) === '0', 'all is taken')
  t.equal(await figure('log_stream_oldest_entry_seconds'), '0')
  await receiver.stop()
  await s.take('listUsers')
  await s.take('listUsers')
  await eventually(async () => Number(await figure('log_stream_waiting_entries')) >= 2, 'both wait')
  t.ok(Number(await figure('log_stream_oldest_entry_seconds')) > 0)
  await receiver.start()
  await s.close()
  const rows = await s.db.select().from(operationLogs).orderBy(asc(operationLogs.seq))
  t.ok(rows.length >= receiver.messages.length)
})

/** What a page of the documentation says, to the letter. */
const documented = (): string => /```\n(global\([\s\S]*?)```/.exec(readFileSync('docs/syslog.md', 'utf8'))?.[1] ?? ''

const rsyslogMissing =
  (existsSync('/usr/sbin/rsyslogd') &&
    ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].some((lib) =>
      existsSync(`${lib}/rsyslog/lmnsd_gtls.so`),
    )) ||
  process.env.REQUIRE_SERVERS === '1'
    ? false
    : 'rsyslog-gnutls is not installed here'

const startRsyslog = async (t: Test, folder: string, port: number) => {
  const written = documented()
    .replaceAll('/var/spool/rsyslog', folder)
    .replaceAll('/var/log/steward.log', join(folder, 'steward.log'))
    .replaceAll('/etc/rsyslog.d/ca.pem', join(folder, 'ca.crt'))
    .replaceAll('/etc/rsyslog.d/server.pem', join(folder, 'server.crt'))
    .replaceAll('/etc/rsyslog.d/server.key', join(folder, 'server.key'))
    .replace('port="6514"', `port="${port}" address="127.0.0.1"`)
  writeFileSync(join(folder, 'rsyslog.conf'), written)
  const child = spawn(
    '/usr/sbin/rsyslogd',
    ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'rsyslog.pid')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  t.teardown(() => end('SIGKILL'))
  return { end, output: () => output }
}

t.test('rsyslog as documented keeps a log that its administrator can check', { skip: rsyslogMissing }, async (t) => {
  const folder = t.testdir()
  const { ca } = await makeCertificate(folder)
  const port = await freePort()
  const settings = {
    ...{ host: '127.0.0.1', port, appName: 'steward', facility: 13, maxBytes: 8192 },
    tls: { ca: () => readFileSync(ca, 'utf8'), client: null },
  }
  const file = join(folder, 'steward.log')
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  let rsyslog = await startRsyslog(t, folder, port)
  await write(1500, { username: '王 "小" ]' })
  await write(1, { target: range(1, 5000) })
  streaming(t, { settings })
  await taken({ settings }, 1501)
  const log = openOperationLog({ db, keys, log: silent, delay: 1 })
  t.teardown(() => log.close())
  for (let round = 0; round < 3; round++) {
    // It is stopped and started while entries come.
    for (let i = 0; i < 300; i++) log.append(logEntry({ remark: `round ${round}, ${i}` }))
    await rsyslog.end('SIGTERM')
    await log.flush()
    rsyslog = await startRsyslog(t, folder, port)
  }
  await taken({ settings }, 2401)
  await rsyslog.end('SIGTERM')
  t.same([...new Set(lines().map(seqOf))], range(1, 2401), rsyslog.output())
  t.match(await check(lines()), { code: 0, output: /^2401 entries, 1 to 2401; \d+ came again; 1 only linked\n$/ })
})
