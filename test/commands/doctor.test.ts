import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import postgres from 'postgres'
import t from 'tap'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { checkFolders } from '../../src/commands/doctor/folders.ts'
import { checkNode, checkOpenFiles, checkPorts, isRunning } from '../../src/commands/doctor/machine.ts'
import {
  checkDirectory,
  checkMail,
  checkRedis,
  checkSources,
  checkSyslog,
  checkTracing,
} from '../../src/commands/doctor/servers.ts'
import { parseConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/client.ts'
import { lockFolder } from '../../src/db/embedded/lock.ts'
import { noteMoved } from '../../src/db/embedded/moved-away.ts'
import { claimForMove, finishMove, relationsIn } from '../../src/db/move-claim.ts'
import { openDirectory } from '../../src/ldap/directory.ts'
import { ensureLayout } from '../../src/mirror/entry/layout.ts'
// steward doctor: what is wrong with an installation, before it is started.
import { syslogReceiver } from '../audit/syslog-receiver.ts'
import { makeCertificate } from '../certificate.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { freePort } from '../free-port.ts'
import { dataFolder, startServer } from '../server-process.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { runCommand } from './run-command.ts'

const secret = 'not-to-be-printed'
const folder = await mkdtemp(join(tmpdir(), 'steward-doctor-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

const configOf = (environment: Record<string, string> = {}) =>
  parseConfig({ DATA_DIR: join(folder, 'data'), EMBEDDED_LDAP_PORT: 'off', PORT: '0', ...environment })

t.test('a version of Node.js is judged by its two first numbers', async (t) => {
  for (const [version, state] of [
    ['18.20.8', 'problem'],
    ['20.18.3', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['26.0.0', 'ok'],
  ] as const) {
    t.equal(checkNode(version).state, state, version)
  }
})

t.test('few open files are reported', async (t) => {
  t.match(checkOpenFiles(1024), { state: 'note', text: /256 connections .* 1024 files/ })
  for (const openFiles of [4096, null]) t.equal(checkOpenFiles(openFiles).state, 'ok')
})

t.test('folders: what others may enter, and what cannot be written to', async (t) => {
  t.match(await checkFolders(configOf()), [{ state: 'ok', text: /is created at the first start/ }, { state: 'ok' }])
  const open = await mkdtemp(join(folder, 'open-'))
  await chmod(open, 0o755)
  t.match(await checkFolders(configOf({ DATA_DIR: open })), [{ state: 'problem', advice: `chmod 700 ${open}` }, {}])
  t.match(await checkFolders(configOf({ DATA_DIR: '/proc/version/steward' })), [
    { state: 'problem', text: /DATA_DIR: \/proc\/version is not a folder/ },
  ])
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  await writeFile(join(folder, 'file'), '')
  const long = join(folder, 'x'.repeat(300))
  for (const place of ['/proc/steward', '/proc/steward/below', join(folder, 'dangling'), long]) {
    const refused = { state: 'problem', text: /^DATA_DIR: .* cannot be created or written to \(E[A-Z]+: / }
    t.match(await checkFolders(configOf({ DATA_DIR: place })), [refused], place)
    t.match(
      (await checkFolders(configOf({ BACKUP_DIR: place }))).at(-1),
      { ...refused, text: /^BACKUP_DIR: .* cannot be/ },
      place,
    )
  }
  t.match(await checkFolders(configOf({ DATA_DIR: join(folder, 'a/b/c') })), [{ state: 'ok', text: /is created/ }, {}])
  // Root could close /tmp to all other users.
  t.match((await checkFolders(configOf({ BACKUP_DIR: tmpdir() }))).at(-1), {
    state: 'problem',
    text: /^BACKUP_DIR: .* is open to other users, and other files are in it/,
    advice: 'Set BACKUP_DIR to a folder that has only backups.',
  })
  t.strictSame((await readdir(folder)).sort(), ['dangling', 'file', basename(open)], 'what was made is gone')
  t.strictSame(await readdir(open), [])
})

t.test('files of an installation that the user may not read, for the doctor and for a start', async (t) => {
  const dataDir = await dataFolder(t)
  await (await startServer(t, { DATA_DIR: dataDir })).stop()
  // Root may read everything.
  const other = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const env = { DATA_DIR: dataDir, PORT: '0', EMBEDDED_LDAP_PORT: '0' }
  const run = (command: string) => runCommand('steward', [command], { env, folder: tmpdir(), ...other })
  const give = () => execFileSync('chown', ['-R', String(other.uid ?? process.getuid?.()), dataDir])
  give()
  t.match(await run('doctor'), { status: 0, stdout: /Nothing prevents a start/ })
  for (const name of ['postgres/PG_VERSION', 'postgres/base', 'secrets/jwt']) {
    const path = join(dataDir, name)
    const { mode } = await stat(path)
    await chmod(path, 0)
    if (other.uid !== undefined) await chown(path, 0, 0)
    const said = new RegExp(
      `DATA_DIR: this user may not read and change ${path}\n +Give everything .* chown -R … ${dataDir}`,
    )
    t.match(await run('doctor'), { status: 1, stdout: said }, name)
    const started = await run('serve')
    t.match(
      started,
      { status: 1, stderr: /^The configuration is not usable:\n +DATA_DIR: .*(PG_VERSION|base|secrets)\b/m },
      name,
    )
    t.notMatch(started.stderr, /\n +at /, 'no stack')
    await chmod(path, mode & 0o777)
    give()
  }
})

t.test('ports: one that another program has, and those of a service that runs', async (t) => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  t.teardown(() => server.close())
  const config = configOf({ PORT: String(port), EMBEDDED_LDAP_PORT: '0' })
  t.match(await checkPorts(config, false), [
    { state: 'problem', text: /^PORT: port .* cannot be used \(EADDRINUSE\)/, advice: /another port/ },
    { state: 'ok' },
    { state: 'ok' },
  ])
  t.match(await checkPorts(config, true), [{ state: 'ok', text: /a service runs on this DATA_DIR/ }, {}, {}])
  const elsewhere = { state: 'problem', text: /of 192\.0\.2\.1 cannot be used \(EADDRNOTAVAIL\)/ }
  t.match(await checkPorts(configOf({ HOST: '192.0.2.1' }), false), [elsewhere], 'any free port needs an address, too')
  const metrics = { METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' }
  t.match(await checkPorts(configOf(metrics), false), [{ state: 'ok' }, elsewhere])
})

t.test('ports: one that two settings name', async (t) => {
  const port = String(await freePort())
  const twice = { state: 'problem', text: /^METRICS_PORT: port .* \(EADDRINUSE\)/, advice: /another setting/ }
  for (const HOST of ['127.0.0.1', '0.0.0.0']) {
    const found = await checkPorts(configOf({ HOST, PORT: port, METRICS_PORT: port }), false)
    t.match(found, [{ state: 'ok' }, twice])
  }
  t.match(await checkPorts(configOf({ PORT: port }), false), [{ state: 'ok' }], 'it is free again')
})

t.test('the password of the administrator, before there is one', async (t) => {
  const weak = { ADMIN_PASSWORD: 'admin123' }
  const refused = { state: 'problem', text: 'ADMIN_PASSWORD: is one of the most common passwords: choose another' }
  t.match(await checkDatabase(configOf(weak), false), [{ state: 'ok' }, refused])
  const used = await mkdtemp(join(folder, 'used-'))
  await mkdir(join(used, 'postgres'))
  t.match(await checkDatabase(configOf({ ...weak, DATA_DIR: used }), false), [{ state: 'ok' }])
  await rm(used, { recursive: true })
})

t.test('a database that was moved away, as a start says it', async (t) => {
  const dataDir = await dataFolder(t)
  noteMoved(dataDir)
  const env = { DATA_DIR: dataDir, PORT: '0', EMBEDDED_LDAP_PORT: 'off' }
  const said = /DATABASE_URL: required, because the embedded database in .* was moved to a server/
  t.match(await runCommand('steward', ['doctor'], { env, folder }), { status: 1, stdout: said })
  t.match(await runCommand('steward', ['serve'], { env, folder }), { status: 1, stderr: said })
})

t.test('a database whose move has not finished, as a start says it', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await claimForMove(sql, '00000000-0000-4000-8000-000000000000')
  const unfinished = {
    state: 'problem',
    text: /a move into this database has not finished/,
    advice: /Repeat steward move/,
  }
  const find = async () =>
    (await checkDatabase(configOf({ DATABASE_URL: url }), false)).filter(({ state }) => state === 'problem')
  t.match(await find(), [unfinished])
  const started = await runCommand('steward', ['serve'], { env: { DATABASE_URL: url, PORT: '0' }, folder })
  t.match(started, { status: 1, stderr: /a move into this database has not finished/ })
  await finishMove(sql, 'digest')
  await sql.end()
  t.strictSame(await find(), [])
})

t.test('a folder that cannot be locked is a finding among the others', async (t) => {
  const env = { DATA_DIR: '/dev/null', PORT: '0', EMBEDDED_LDAP_PORT: 'off' }
  const { status, stdout } = await runCommand('steward', ['doctor', '--json'], { env, folder: tmpdir() })
  t.equal(status, 1)
  const sections = JSON.parse(stdout) as { title: string; findings: unknown[] }[]
  t.match(sections.find(({ title }) => title === 'Folders')?.findings[0], { state: 'problem', text: /is not a folder/ })
  t.ok(sections.some(({ title }) => title === 'Ports'))
})

t.test('a running service is known by its lock', async (t) => {
  const dataDir = await mkdtemp(join(folder, 'locked-'))
  t.equal(await isRunning(configOf({ DATA_DIR: dataDir })), false)
  const release = await lockFolder(dataDir)
  t.equal(await isRunning(configOf({ DATA_DIR: dataDir })), true)
  await release()
  t.equal(await isRunning(configOf({ DATA_DIR: dataDir })), false)
})

t.test(
  'the database: empty, used, of a later version, without rights, a standby',
  { skip: postgresMissing },
  async (t) => {
    const { url } = await testPostgres(t)
    const look = (databaseUrl = url) => checkDatabase(configOf({ DATABASE_URL: databaseUrl }), false)
    const said = async (databaseUrl = url) =>
      (await look(databaseUrl)).map(({ state, text }) => `${state} ${text}`).join('\n')

    t.match(await said(), /^ok DATABASE_URL: PostgreSQL \d+[\s\S]*ok .*there are no tables yet/)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    t.teardown(() => sql.end())
    t.notOk((await sql`select to_regclass('drizzle.__drizzle_migrations') as made`)[0]?.made, 'it creates nothing')
    const database = await openDatabase({ url, dataDir: '', log: silent })
    await database.close()
    t.match(await said(), /ok .*the tables are of this version/)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`
    t.match(await said(), /problem .*later version of Steward/)

    await sql`create role clerk login`
    const clerk = new URL(url)
    clerk.username = 'clerk'
    t.match(await said(clerk.href), /problem .*may not create tables|problem DATABASE_URL: permission denied/)
    const owner = /^Make the user the owner of the database/
    t.ok((await look(clerk.href)).some(({ state, advice }) => state === 'problem' && owner.test(advice)))
    await sql`create role few login`
    await sql`alter role few connection limit 4`
    const few = new URL(url)
    few.username = 'few'
    await sql`grant usage on schema drizzle to few`
    await sql`grant select on drizzle.__drizzle_migrations to few`
    const limited = {
      state: 'note',
      text: /: 4 connections are free/,
      advice: /^Raise the limit of the user: ALTER ROLE/,
    }
    t.match((await look(few.href)).at(-1), limited)
    await sql`alter role few connection limit 0`
    t.match(await look(few.href), [{ state: 'problem', text: /too many connections/, advice: /CONNECTION LIMIT/ }])

    await sql`alter database postgres set default_transaction_read_only = on`
    t.match(await said(), /problem .*accepts no writes/)
    t.ok((await look()).some(({ advice }) => advice.startsWith('Set default_transaction_read_only to off')))

    clerk.username = 'unknown'
    clerk.password = secret
    t.match(await look(clerk.href), [{ state: 'problem', text: /unknown/, advice: /Check that the server runs/ }])
  },
)

t.test('the directory: bind, rights, and whether people could sign in', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t)
  const settings = {
    ...{ LDAP_URL: slapd.url, LDAP_BASE_DN: slapd.baseDn, LDAP_BIND_DN: slapd.bindDn },
    LDAP_BIND_PASSWORD: slapd.bindPassword,
  }
  const look = (more: Record<string, string> = {}) => checkDirectory(configOf({ ...settings, ...more }))
  t.match(await look(), [{ state: 'ok', text: /accepts LDAP_BIND_DN/ }], 'before the first start')
  const directory = openDirectory({ ...slapd, log: silent, ca: null, startTls: false, timeout: 5000 })
  t.teardown(() => directory.close())
  await ensureLayout(directory)
  t.match(await look(), [{ state: 'ok' }, { state: 'ok', text: /verifies argon2/ }])
  t.match(await look({ LDAP_BIND_PASSWORD: secret }), [{ state: 'problem', text: /invalidCredentials|49/ }])
  await slapd.readOnly(true)
  t.match(await look(), [{ state: 'ok' }, { state: 'problem', text: /accepts no changes/ }])
  await slapd.readOnly(false)
  t.notMatch(await slapd.ldapsearch('-b', slapd.baseDn), /steward-password-probe/, 'nothing is left behind')
})

t.test('ldaps:// for a port without TLS, and ldap:// for one with it', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { tls: true })
  const look = (url: string, more: Record<string, string> = {}) =>
    checkDirectory(
      configOf({
        ...{ LDAP_URL: url, LDAP_BASE_DN: slapd.baseDn, LDAP_BIND_DN: slapd.bindDn },
        ...{ LDAP_BIND_PASSWORD: slapd.bindPassword, LDAP_CA_FILE: slapd.caFile ?? '', ...more },
      }),
    )
  const encrypted = slapd.ldapsUrl ?? ''
  t.match(await look(slapd.url), [{ state: 'ok' }])
  t.match(await look(encrypted), [{ state: 'ok' }])
  const swapped = slapd.url.replace('ldap:', 'ldaps:')
  t.match(await look(swapped), [
    {
      state: 'problem',
      text: `LDAP_URL: ${swapped}: this port does not begin with TLS, as ldaps:// does`,
      advice: 'Write ldap:// and set LDAP_STARTTLS=on, or name the port for ldaps://, usually 636.',
    },
  ])
  const plain = encrypted.replace('ldaps:', 'ldap:')
  for (const startTls of ['off', 'on']) {
    t.match(await look(plain, { LDAP_STARTTLS: startTls }), [
      {
        state: 'problem',
        text: `LDAP_URL: ${plain}: this port begins with TLS, as ldap:// does not`,
        advice: 'Write ldaps://, or name the port for ldap://, usually 389.',
      },
    ])
  }
  t.match(await look(encrypted, { LDAP_CA_FILE: '' }), [{ text: /certificate/ }], 'another problem is said as it is')
  t.match(await look(`ldaps://127.0.0.1:${await freePort()}`), [{ text: /ECONNREFUSED/ }])
})

t.test('the schema of a directory, of the main one and of others', { skip: skipWithoutSlapd }, async (t) => {
  const settingsOf = (prefix: string, slapd: TestSlapd) => ({
    [`${prefix}_URL`]: slapd.url,
    [`${prefix}_BASE_DN`]: slapd.baseDn,
    [`${prefix}_BIND_DN`]: slapd.bindDn,
    [`${prefix}_BIND_PASSWORD`]: slapd.bindPassword,
  })
  const [plain, complete] = await Promise.all([
    testSlapd(t, { memberOfFrom: 'nowhere' }),
    testSlapd(t, { memberOfFrom: 'schema', ntHash: true }),
  ])
  for (const slapd of [plain, complete]) {
    const directory = openDirectory({ ...slapd, log: silent, ca: null, startTls: false, timeout: 5000 })
    t.teardown(() => directory.close())
    await ensureLayout(directory)
  }
  const look = (...settings: Record<string, string>[]) => checkDirectory(configOf(Object.assign({}, ...settings)))
  const ok = { state: 'ok' }
  const wanted = (prefix: string) => ({ [`${prefix}_MEMBER_OF`]: 'on', [`${prefix}_NT_HASH`]: 'on' })
  const lacking = (prefix: string) => [
    { state: 'problem', text: new RegExp(`^${prefix}_MEMBER_OF: ldap:.* could not have memberOf`), advice: /schema/ },
    {
      state: 'problem',
      text: new RegExp(`^${prefix}_NT_HASH: ldap:.* could not have NT hashes`),
      advice: /nt-hash.ldif/,
    },
  ]
  const main = settingsOf('LDAP', plain)
  t.match(await look(main, wanted('LDAP')), [ok, ...lacking('LDAP'), ok])
  t.strictSame(
    (await look(main)).map(({ state }) => state),
    ['ok', 'ok'],
    'it is not needed',
  )
  const fits = [settingsOf('LDAP', complete), wanted('LDAP')]
  t.strictSame(
    (await look(...fits)).map(({ state }) => state),
    ['ok', 'ok'],
  )
  const second = settingsOf('LDAP_2', plain)
  t.match(await look(...fits, second, wanted('LDAP_2')), [ok, ok, ok, ...lacking('LDAP_2'), ok])
  t.match(await look(...fits, { ...second, LDAP_2_BIND_PASSWORD: secret }), [
    ...[ok, ok],
    { state: 'problem', text: /^LDAP_2_URL: .*(invalidCredentials|49)/, advice: /LDAP_2_BIND_PASSWORD/ },
  ])
})

t.test('the scheme of each directory', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { argon2: false })
  const directory = openDirectory({ ...slapd, log: silent, ca: null, startTls: false, timeout: 5000 })
  t.teardown(() => directory.close())
  await ensureLayout(directory)
  const second = {
    ...{ LDAP_2_URL: slapd.url, LDAP_2_BASE_DN: slapd.baseDn, LDAP_2_BIND_DN: slapd.bindDn },
    LDAP_2_BIND_PASSWORD: slapd.bindPassword,
    EMBEDDED_LDAP_PORT: '0',
  }
  const look = async (more: Record<string, string>) => (await checkDirectory(configOf({ ...second, ...more }))).at(-1)
  const refused = { state: 'problem', text: /^LDAP_2_PASSWORD_SCHEME: .* people could not sign in/ }
  const advice = /load its argon2 module, or set LDAP_2_PASSWORD_SCHEME=ssha512/
  t.match(await look({}), { ...refused, advice }, 'that of the main directory')
  t.match(await look({ LDAP_PASSWORD_SCHEME: 'ssha512', LDAP_2_PASSWORD_SCHEME: 'argon2' }), { ...refused, advice })
  t.match(await look({ LDAP_2_PASSWORD_SCHEME: 'ssha512' }), { state: 'ok', text: / verifies ssha512$/ })
})

t.test('servers that are away are named by their settings, and no secret is printed', async (t) => {
  const port = await freePort()
  const at = (scheme: string): string => `${scheme}://user:${secret}@127.0.0.1:${port}`
  const config = configOf({
    ...{ DATABASE_URL: `${at('postgres')}/x`, REDIS_URL: at('redis'), SMTP_URL: at('smtp') },
    ...{ LDAP_URL: `ldap://127.0.0.1:${port}`, LDAP_BASE_DN: 'dc=x', LDAP_BIND_DN: 'cn=x', LDAP_BIND_PASSWORD: secret },
    ...{ EXTLDAP_URL: `ldap://127.0.0.1:${port}`, EXTLDAP_BASE_DN: 'dc=x', EXTLDAP_BIND_DN: 'cn=x' },
    EXTLDAP_BIND_PASSWORD: secret,
  })
  const found = [
    ...(await checkDatabase(config, false)),
    ...(await checkRedis(config)),
    ...(await checkMail(config)),
    ...(await checkDirectory(config)),
    ...(await checkSources(config)),
  ]
  t.match(
    found.map(({ state, text }) => `${state} ${text}`),
    [/^problem DATABASE_URL/, /^problem REDIS_URL/, /^problem SMTP_URL/, /^problem LDAP_URL/, /^problem extldap/],
  )
  t.notMatch(JSON.stringify(found), secret)
})

t.test('the mail server: a certificate that is not trusted is told from a server that is away', async (t) => {
  const { certificate, key } = await makeCertificate(t.testdir())
  const server = createTlsServer({ cert: await readFile(certificate), key: await readFile(key) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const look = (url: string) => checkMail(configOf({ SMTP_URL: url }))
  t.match(await look(`smtps://user:${secret}@127.0.0.1:${port}`), [
    { state: 'problem', text: /cannot be used \(ESOCKET: unable to verify .*\)/, advice: /NODE_EXTRA_CA_CERTS/ },
  ])
  const away = await look(`smtp://user:${secret}@127.0.0.1:${await freePort()}`)
  t.match(away, [{ text: /\(ESOCKET: connect ECONNREFUSED 127/ }])
  t.notMatch(JSON.stringify(away), secret)
})

t.test('the syslog receiver: its certificate, and whether it is there', async (t) => {
  const receiver = await syslogReceiver(t, { folder: t.testdir() })
  const env = { SYSLOG_URL: `syslog+tls://127.0.0.1:${receiver.settings.port}` }
  const look = (more: Record<string, string> = {}) => checkSyslog(configOf({ ...env, ...more }))
  t.same(await checkSyslog(configOf({})), [])
  t.match(await look({ SYSLOG_CA_FILE: join(t.testdirName, 'ca.crt') }), [{ state: 'ok', text: /accepts/ }])
  t.match(await look(), [{ state: 'problem', text: /certificate/, advice: /SYSLOG_CA_FILE/ }])
  await receiver.stop()
  t.match(await look(), [{ state: 'problem', text: /^SYSLOG_URL: 127\.0\.0\.1:\d+: .*ECONNREFUSED/ }])
  t.same(receiver.messages, [])
})

t.test('it asks the collector of spans whether it takes some', async (t) => {
  const answers = { status: 200, asked: '' }
  const collector = createHttpServer((request, reply) => {
    request.on('data', (chunk: Buffer) => (answers.asked += chunk))
    request.on('end', () => reply.writeHead(answers.status).end())
  })
  const port = await new Promise<number>((resolve) => {
    collector.listen(0, '127.0.0.1', () => resolve((collector.address() as AddressInfo).port))
  })
  t.teardown(() => collector.close())
  const endpoint = `http://127.0.0.1:${port}`
  const config = configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secret}` })
  t.match(await checkTracing(config), [{ state: 'ok', text: /takes spans/ }])
  t.same(JSON.parse(answers.asked), { resourceSpans: [] })
  answers.status = 401
  const refused = await checkTracing(config)
  t.match(refused, [{ state: 'note', text: /takes no spans \(Unauthorized\)/, advice: /OTEL_EXPORTER_OTLP_HEADERS/ }])
  t.notMatch(JSON.stringify(refused), secret)
  t.same(await checkTracing(configOf()), [])
})

t.test('the command: all wrong settings at once, and an exit code', async (t) => {
  const env = { DATA_DIR: join(folder, 'not-made'), EMBEDDED_LDAP_PORT: 'off', PORT: '0' }
  const [wrong, fine, odd] = await Promise.all([
    runCommand('steward', ['doctor', '--json'], { env: { ...env, PORT: 'x', TOKEN_TTL: secret }, folder }),
    runCommand('steward', ['doctor'], { env: { ...env, BACKUP_KEYS: secret }, folder }),
    runCommand('steward', ['dokter'], { env, folder }),
  ])
  t.match(wrong, { status: 1, stdout: /PORT: expected[\s\S]*TOKEN_TTL: expected/ })
  t.notMatch(wrong.stdout, secret)
  const findings = [{ text: /Node/ }, { text: /connections of HTTP/ }, { state: 'problem' }, { state: 'problem' }]
  t.match(JSON.parse(wrong.stdout), [{ title: 'Settings', findings }])
  t.match(fine, { status: 0, stdout: /Nothing prevents a start\.\n$/, stderr: '' })
  t.match(fine.stdout, /^note +BACKUP_KEYS: unknown, and ignored; did you mean BACKUP_KEY\?$/m)
  t.notMatch(fine.stdout, secret)
  t.match(odd, { status: 2, stderr: /There is no command "dokter"[\s\S]*verify-log/ })
})

t.test('a start tries what it will listen on before it uses the database', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => void taken.close())
  const port = String((taken.address() as AddressInfo).port)
  const env = { DATA_DIR: await dataFolder(t), DATABASE_URL: url, PORT: '0' }
  const places = { HOST: '192.0.2.1', METRICS_PORT: port, EMBEDDED_LDAP_HOST: '203.0.113.9' }
  const { status, stderr } = await runCommand('steward', ['serve'], { env: { ...env, ...places }, folder })
  t.equal(status, 1)
  t.match(stderr, /^ +HOST: 192\.0\.2\.1 is not an address of this machine$/m)
  t.match(stderr, new RegExp(`^ +METRICS_PORT: port ${port} of 127.0.0.1 is in use by another process$`, 'm'))
  t.match(stderr, /^ +EMBEDDED_LDAP_HOST: 203\.0\.113\.9 is not an address of this machine$/m)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.strictSame(await relationsIn(sql), [], 'no table was made')
  await sql.end()
})

t.test('a start warns of a setting with a wrong name too', async (t) => {
  // An address that is for documentation (RFC 5737): the start ends there.
  const env = { DATA_DIR: join(folder, 'misspelled'), EMBEDDED_LDAP_PORT: 'off', HOST: '192.0.2.1', LOG_LEVEL: 'warn' }
  const ran = await runCommand('steward', ['serve'], { env: { ...env, BACKUP_KEYS: secret }, folder })
  t.match(ran, { status: 1, stdout: /"BACKUP_KEYS: unknown, and ignored; did you mean BACKUP_KEY\?"/ })
  t.notMatch(ran.stdout + ran.stderr, secret)
})
