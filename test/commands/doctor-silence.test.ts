import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { postgresMissing, testPostgres } from '../database.ts'
import { freePort } from '../free-port.ts'
import { pgbouncerMissing, testPgBouncer } from '../pgbouncer-server.ts'
import { runCommand } from './run-command.ts'

// A server that accepts connections and then says nothing, or stops half-way: steward doctor tells it soon, and ends.

t.setTimeout(120_000)

/** Milliseconds: each server has less than ten seconds, all at once, and a busy machine starts the command slowly. */
const soon = 20_000
const secret = 'not-to-be-printed'
const folder = await mkdtemp(join(tmpdir(), 'steward-silence-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** Takes connections, answers the beginning of each as told, and leaves it open whatever the client does. */
const silentServer = async (begin: (socket: Socket) => void = () => {}): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => {}))
    begin(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const doctor = async (settings: Record<string, string>) => {
  const env = { DATA_DIR: join(folder, 'data'), EMBEDDED_LDAP_PORT: 'off', PORT: '0', ...settings }
  const began = performance.now()
  const ran = await runCommand('steward', ['doctor'], { env, folder })
  return { ...ran, milliseconds: performance.now() - began }
}

const ldap = (prefix: string, url: string) => ({
  [`${prefix}_URL`]: url,
  [`${prefix}_BASE_DN`]: `dc=${prefix.toLowerCase().replace('_', '')}`,
  [`${prefix}_BIND_DN`]: 'cn=x',
  [`${prefix}_BIND_PASSWORD`]: secret,
})

const port = await silentServer()
const at = (scheme: string): string => `${scheme}://user:${secret}@127.0.0.1:${port}`
const web = `http://127.0.0.1:${port}`

/** Every server that a setting names. */
const all = {
  DATABASE_URL: `${at('postgres')}/x`,
  DATABASE_DIRECT_URL: `${at('postgres')}/x`,
  DATABASE_REPLICA_URL: `${at('postgres')}/x`,
  REDIS_URL: at('redis'),
  ...ldap('LDAP', `ldap://127.0.0.1:${port} ldap://localhost:${port}`),
  ...ldap('LDAP_2', `ldap://127.0.0.1:${port}`),
  SMTP_URL: at('smtp'),
  SYSLOG_URL: `syslog+tcp://127.0.0.1:${port}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: web,
  ...{ EXTA_CONNECTOR: 'dingtalk', EXTA_APP_KEY: 'key', EXTA_APP_SECRET: secret, EXTA_URL: web, EXTA_API_URL: web },
  ...{ EXTB_CONNECTOR: 'feishu', EXTB_APP_ID: 'id', EXTB_APP_SECRET: secret, EXTB_URL: web },
  ...{ EXTC_CONNECTOR: 'wecom', EXTC_CORP_ID: 'id', EXTC_SECRET: secret, EXTC_URL: web },
  ...ldap('EXTLDAP', `ldap://127.0.0.1:${port}`),
}

/** The same, in the other ways in which each may be reached. */
const otherWays = {
  DATABASE_URL: `postgres://user:${secret}@127.0.0.1:${port},localhost:${port}/x`,
  REDIS_URL: at('rediss'),
  ...ldap('LDAP', `ldaps://127.0.0.1:${port}`),
  ...ldap('LDAP_2', `ldap://127.0.0.1:${port}`),
  LDAP_2_STARTTLS: 'on',
  SMTP_URL: at('smtps'),
  SYSLOG_URL: `syslog+tls://127.0.0.1:${port}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://127.0.0.1:${port}`,
  ...ldap('EXTLDAP', `ldaps://127.0.0.1:${port}`),
}

t.test('every setting that names a server is one of those tried here', async (t) => {
  // Nothing connects to them before something is to be sent, or ever.
  const notTried = ['PUBLIC_URL', 'ALERT_WEBHOOK_URL', 'LDAP_9_URL']
  const names = [...readFileSync('.env.example', 'utf8').matchAll(/^#(\w+(?:_URL|_ENDPOINT))=/gm)].map(
    ([, name]) => name,
  )
  t.ok(names.length > 10)
  t.strictSame(
    names.filter((name) => name !== undefined && !notTried.includes(name) && !Object.hasOwn(all, name)),
    [],
  )
})

t.test('where all servers are silent, each is reported, and soon', async (t) => {
  const { stdout, status, milliseconds } = await doctor(all)
  t.equal(status, 1, `after ${Math.round(milliseconds)} ms`)
  t.ok(milliseconds < soon, 'soon')
  for (const said of [
    /^PROBLEM {2}DATABASE_URL: no answer within 5 s\n.*PgBouncer/m,
    /^PROBLEM {2}DATABASE_DIRECT_URL: .*no answer within/m,
    /^note {5}DATABASE_REPLICA_URL: .*no answer within/m,
    /^PROBLEM {2}REDIS_URL: .*no answer within/m,
    /^PROBLEM {2}LDAP_URL: ldap:\/\/127\S+ no connection .*within 5000 ms/m,
    /^PROBLEM {2}LDAP_URL: ldap:\/\/localhost\S+ no connection .*within 5000 ms/m,
    /^PROBLEM {2}LDAP_2_URL: .*no connection .*within 5000 ms/m,
    /^PROBLEM {2}SMTP_URL: .*does not answer within/m,
    /^PROBLEM {2}SYSLOG_URL: .*did not close the connection within 5 s/m,
    /^note {5}OTEL_EXPORTER_OTLP_ENDPOINT: .*timed out/m,
    /^PROBLEM {2}exta \(dingtalk\), token: not done within 8 s/m,
    /^PROBLEM {2}extb \(feishu\), token: not done within 8 s/m,
    /^PROBLEM {2}extc \(wecom\), token: not done within 8 s/m,
    /^PROBLEM {2}extldap \(ldap\), connection: .*within 5000 ms/m,
  ]) {
    t.match(stdout, said)
  }
  t.notMatch(stdout, secret)
})

t.test('all are silent, with TLS, several hosts and sentinels', async (t) => {
  const sentinels = `redis-sentinel://:${secret}@127.0.0.1:${port},localhost:${port}/mymaster`
  const [ran, sentinel] = await Promise.all([doctor(otherWays), doctor({ REDIS_URL: sentinels })])
  for (const { status, milliseconds } of [ran, sentinel]) {
    t.equal(status, 1, `after ${Math.round(milliseconds)} ms`)
    t.ok(milliseconds < soon, 'soon')
  }
  for (const said of [
    /^PROBLEM {2}DATABASE_URL: .*no answer within .*no answer within/m,
    /^PROBLEM {2}REDIS_URL: .*(no answer within|timeout)/m,
    /^PROBLEM {2}LDAP_URL: ldaps:.*within 5000 ms/m,
    /^PROBLEM {2}LDAP_2_URL: .*within 5000 ms/m,
    /^PROBLEM {2}SMTP_URL: .*does not answer within/m,
    /^PROBLEM {2}SYSLOG_URL: .*did not answer within 5 s/m,
    /^note {5}OTEL_EXPORTER_OTLP_ENDPOINT: .*timed out/m,
    /^PROBLEM {2}extldap \(ldap\), connection: .*within 5000 ms/m,
  ]) {
    t.match(ran.stdout, said)
  }
  t.match(sentinel.stdout, /^PROBLEM {2}REDIS_URL: .*no sentinel names the master/m)
  t.notMatch(ran.stdout + sentinel.stdout, secret)
})

t.test('servers that begin as they should and then are silent', async (t) => {
  // LDAPMessage 1: a BindResponse of success (RFC 4511, 4.2.2).
  const signedIn = Buffer.from('300c02010161070a010004000400', 'hex')
  const [binds, greets] = await Promise.all([
    silentServer((socket) => socket.once('data', () => socket.write(signedIn))),
    silentServer((socket) => socket.write('220 mail.example.org ESMTP\r\n')),
  ])
  const { stdout, status, milliseconds } = await doctor({
    ...ldap('LDAP', `ldap://127.0.0.1:${binds}`),
    LDAP_TIMEOUT: '60s',
    SMTP_URL: `smtp://127.0.0.1:${greets}`,
  })
  t.equal(status, 1, `after ${Math.round(milliseconds)} ms`)
  t.ok(milliseconds < soon, 'soon')
  t.match(stdout, /^PROBLEM {2}LDAP_URL: .*the directory did not answer/m)
  t.match(stdout, /^PROBLEM {2}SMTP_URL: .*does not answer within/m)
})

t.test(
  'PgBouncer, which lets one sign in while PostgreSQL behind it is away',
  { skip: postgresMissing || pgbouncerMissing },
  async (t) => {
    const server = await testPostgres(t, { password: secret })
    const bouncer = await testPgBouncer(t, server.url, ['pool_mode = transaction', 'query_wait_timeout = 120'])
    await server.stop()
    const gone = new URL(server.url)
    gone.port = String(await freePort())
    const [alone, direct] = await Promise.all([
      doctor({ DATABASE_URL: bouncer.url }),
      doctor({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: gone.href }),
    ])
    for (const { stdout, status, milliseconds } of [alone, direct]) {
      t.equal(status, 1, `after ${Math.round(milliseconds)} ms`)
      t.ok(milliseconds < soon, 'soon')
      t.notMatch(stdout, secret)
    }
    const silent = /^PROBLEM {2}DATABASE_URL: no answer within 5 s\n.*PgBouncer does not answer while PostgreSQL/m
    t.match(alone.stdout, silent)
    // After its first attempt PgBouncer tells others at once.
    t.match(
      direct.stdout,
      /^PROBLEM {2}DATABASE_URL: (no answer within 5 s|does not answer \(CONNECTION_CLOSED\)|server login has been failing)/m,
    )
    t.match(direct.stdout, /^PROBLEM {2}DATABASE_DIRECT_URL: 127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\)/m)
  },
)
