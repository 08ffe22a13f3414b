import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { contentsOf, differences } from '../../src/backups/tables/copy-tables.ts'
import { readArguments } from '../../src/commands/move/arguments.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { UsageError } from '../../src/terminal/usage-error.ts'
import { copyTemplate, postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { becomesEqual } from '../faults/entries.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { pgbouncerMissing, testPgBouncer } from '../pgbouncer-server.ts'
import { runServer, startServer } from '../server-process.ts'
import { directorySettings, skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward } from '../steward.ts'
import { runVerifyLog } from '../verify-log-process.ts'
import { killAt, type Moving, runMove } from './run-move.ts'

// steward move: an installation on the embedded database goes to PostgreSQL, and comes back as a copy for trying out.

t.setTimeout(600_000)

const password = 'the-password-of-the-database'
const skip = postgresMissing || skipWithoutSlapd

const folder = await mkdtemp(join(tmpdir(), 'steward-move-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

const move = (args: readonly string[], options: Omit<Moving, 'folder'>) => runMove(args, { folder, ...options })

/** A server with empty databases, which belong to a user without special rights and sort text by a language. */
const server = skip ? null : await testPostgres(t, { password })
const administrator = server && postgres(server.url, { max: 1, onnotice: () => {} })
t.teardown(() => administrator?.end())
await administrator?.unsafe(`create role mover login password '${password}'`)
const emptyDatabase = async (name: string): Promise<string> => {
  await administrator?.unsafe(
    `create database ${name} owner mover template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en'`,
  )
  const url = new URL(server?.url ?? '')
  url.username = 'mover'
  url.pathname = `/${name}`
  return url.href
}

const opened = async (url: string | null, dataDir: string, use: (database: Database) => Promise<void>) => {
  const database = await openDatabase({ url, dataDir, log: silent, ...(url === null && { durable: false }) })
  try {
    await use(database)
  } finally {
    await database.close()
  }
}

const tablesIn = async (url: string): Promise<number> => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await client<{ count: string }[]>`
    select count(*) from pg_class where relnamespace = 'public'::regnamespace`
  await client.end()
  return Number(row?.count)
}

const filled = async (url: string, statement: string): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await client.unsafe(statement)
  await client.end()
}

const contents = async (url: string | null, dataDir: string) => {
  const database = await openDatabase({ url, dataDir, log: silent, upToDate: true })
  return contentsOf(database.db, () => {}).finally(database.close)
}

const dataDir = join(folder, 'data')
const slapd = skip ? null : await testSlapd(t)
const directory = slapd === null ? {} : { ...directorySettings(slapd), LDAP_TIMEOUT: '20s' }
/** People as applications see them; entryCSN changes with every write. */
const entriesInDirectory = async (): Promise<string> =>
  (await slapd?.ldapsearch('-b', slapd.baseDn, '-S', 'entryDN', '*', '+')) ?? ''
const bind = async (uid: string, secret: string) =>
  slapd && (await ldapTools(slapd).as(`uid=${uid},ou=people,${slapd.baseDn}`, secret, 'ldapwhoami', [])).code

let factor = ''
const codeOf = () => TOTP.generate({ secret: Secret.fromBase32(factor) })
const ann = { username: 'ann', password: 'ann has a password' }

t.test(
  'an installation: people, a group, a device, a diet plan, a backup, an authenticator app',
  { skip },
  async (t) => {
    if (slapd === null) return
    await copyTemplate(dataDir)
    await opened(null, dataDir, async (database) => {
      const s = await steward(t, { directory: slapd, dataDir, database })
      const { data: group } = await s.ask('addGroup', { body: { groupName: 'Rowers', groupType: 'cn', parentId: 0 } })
      await s.person('ann', { roleIds: [1], departmentId: [group.id] })
      await s.person('Zoë', { roleIds: [2] })
      await s.person('bob', { roleIds: [2], departmentId: [group.id] })
      await s.take('registerDevice', { body: { name: 'door', type: 'sensor', location: 'hall' } })
      const meals = [{ time: '08:00', name: 'Eggs', ingredients: [{ name: 'egg', amount: '2个' }] }]
      await s.take('savePlan', { body: { date: '2026-06-10', meals } })
      await s.take('createBackup', { body: { type: 'manual' } })
      const token = await s.signIn(ann.username, ann.password)
      factor = (await s.call('enrolTotp', { token, body: { password: ann.password } })).data.secret
      await s.call('confirmTotp', { token, body: { code: codeOf() } })
      await becomesEqual(t, s, slapd)
      await s.close()
    })
  },
)
const env = { DATA_DIR: dataDir, ...directory }

t.test('wrong arguments are refused, and never repeat the URL', async (t) => {
  for (const [args, said] of [
    [[], /Where to\?/],
    [['--to', 'embedded'], /--to embedded needs --data-dir/],
    [['--to', 'embedded', '--to-file', 'x'], /--to or --to-file, not both/],
    [['--to', `mysql://root:${password}@host/db`], /--to: expected embedded, or a URL/],
    [['--to', `postgres://root:${password}@host/db`, '--data-dir', 'x'], /with --to embedded only/],
    [['--to-file', join(folder, 'nowhere')], /--to-file: ENOENT/],
    [['--sideways'], /'--sideways'/],
  ] as const) {
    const refused = t.throws(() => readArguments(args), UsageError) as unknown as Error
    t.match(refused.message, said)
    t.notMatch(refused.message, password)
  }
  t.equal(readArguments(['--help']), null)
})

/** A copy for trying out, made while the installation runs on PostgreSQL. */
const trial = async (t: Test, url: string): Promise<void> => {
  const copy = join(folder, "trial's copy")
  const real = { ...env, DATABASE_URL: url, JWT_SECRET_PREVIOUS: 'a-secret-of-tokens-from-before-which-is-long' }
  const to = ['--to', 'embedded', '--data-dir', copy]
  t.match(await move([...to, '--dry-run'], { env: real }), { status: 0, stdout: /Nothing is in the way/ })
  t.notOk(existsSync(copy), 'a dry run makes no folder')
  // initdb alone writes more.
  const full = await move(to, { env: real, fileSize: 2000 })
  t.match(full, { status: 1, stderr: /The move failed: .* run the same command again/ })
  const settings = () => parseEnv(readFileSync(join(copy, '.env'), 'utf8')) as Record<string, string>
  t.equal((await move(to, { env: real, onLine: killAt(/^Copying/) })).status, 'SIGKILL')
  t.match(await runServer(t, settings()), { code: 1, output: /a move into this database has not finished/ })
  const before = await entriesInDirectory()
  const copied = await move(to, { env: real })
  t.match(copied, {
    status: 0,
    stdout: /both sides hold the same[\s\S]*cd '.*trial'\\''s copy' && node .*steward\.js serve/,
  })
  t.equal(statSync(copy).mode & 0o77, 0, 'no other user may enter the folder')

  const outward = {
    DATABASE_URL: url,
    REDIS_URL: 'redis://127.0.0.1:1',
    ...directory,
    SMTP_URL: 'smtp://127.0.0.1:1',
    ALERT_WEBHOOK_URL: 'https://example.org/hook',
    BACKUP_DIR: join(dataDir, 'backups'),
    EXTA_APP_KEY: 'key',
    EXTA_APP_SECRET: 'secret',
  }
  const { output } = await runServer(t, { ...settings(), ...outward })
  for (const name of [
    'DATABASE_URL',
    'REDIS_URL',
    'LDAP_URL',
    'SMTP_URL',
    'ALERT_WEBHOOK_URL',
    'BACKUP_DIR',
    'settings of EXTA',
  ]) {
    t.match(output, new RegExp(`${name}.*: not allowed on .*, which is a copy for trying out`))
  }
  const ports = { PORT: '0', EMBEDDED_LDAP_PORT: '0' }
  const service = await startServer(t, { ...settings(), ...ports })
  t.match(await service.call('login', { body: { ...ann, code: codeOf() } }), { code: 0 }, 'with the authenticator app')
  const token = await service.signIn()
  t.match((await service.call('listPeople', { token, query: { pageSize: 10 } })).data.total, 5)
  t.match((await service.call('verifyLog', { token })).code, 200)
  await eventually(async () => {
    const { people } = (await service.call('listPeople', { token, query: { pageSize: 10 } })).data
    return people.every(({ sync }) => sync.state === 'synced')
  }, 'it has a directory of its own')
  t.equal(await entriesInDirectory(), before, 'the real directory was left alone')
  t.equal((await service.call('listAlerts', { token })).data.alerts.filter(({ title }) => /stop/.test(title)).length, 0)
  await service.stop()
  t.equal((await runVerifyLog(settings())).code, 0, 'the copied log, and what came after')
}

t.test('an attempt that ends half-way, its repetition, and the installation on PostgreSQL', { skip }, async (t) => {
  const url = await emptyDatabase('target')
  const started = await entriesInDirectory()
  const before = await contents(null, dataDir)
  const file = join(folder, 'url')
  await writeFile(file, `${url}\n`, { mode: 0o600 })

  const dry = await move(['--to-file', file, '--dry-run'], { env })
  t.match(dry, { status: 0, stdout: /^users +4$[\s\S]*Nothing is in the way\. Nothing was changed\.$/m })
  t.equal(await tablesIn(url), 0, 'a dry run makes no table')

  const unusable = async (name: string) => {
    t.strictSame(differences(before, await contents(null, dataDir)), [], `${name}: the source is as it was`)
    const started = await runServer(t, { ...env, DATABASE_URL: url })
    t.match(started, { code: 1, output: /a move into this database has not finished/ }, `${name}: no service starts`)
    t.notOk(existsSync(join(dataDir, 'moved-to-a-server')))
  }
  t.equal((await move(['--to-file', file], { env, onLine: killAt(/^Copying/) })).status, 'SIGKILL')
  await unusable('killed while it copies')
  const lost = await move(['--to-file', file], {
    env,
    onLine: (line) => /^Copying: \d+ rows/.test(line) && server?.restart('immediate'),
  })
  t.match(lost, { status: 1, stderr: /the connection to a database was lost; .* The source is as it was/ })
  await unusable('the server crashes while it is filled')
  t.equal((await move(['--to-file', file], { env, onLine: killAt(/^Comparing/) })).status, 'SIGKILL')
  await unusable('killed while it compares')

  // As other users of the machine see it.
  const shown: string[] = []
  const look = (_: string, pid: number): void => {
    shown.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  }
  const moved = await move(['--to', url], { env, onLine: look })
  t.match(moved, {
    status: 0,
    stdout: /both sides hold the same/,
    stderr: /^Copying: \d+ rows\n[\s\S]*^Copying: 100 %$/m,
  })
  t.match(moved.stdout, /Operation log: \d+ entries are as they were written/)
  t.match(moved.stdout, /Set DATABASE_URL .* postgres:\/\/mover@127\.0\.0\.1:\d+\/target\./)
  t.match(moved.stdout, new RegExp(`JWT_SECRET_FILE: a copy of ${join(dataDir, 'secrets/jwt')}`))
  for (const text of [moved.stdout, moved.stderr, lost.stderr, dry.stdout, ...shown]) t.notMatch(text, password)
  t.ok(shown.length > 0 && shown.every((each) => each.startsWith('steward move')), 'ps shows no argument')
  t.strictSame(differences(before, await contents(url, '')), [], 'every table is there, whatever the collation')

  t.match(await runServer(t, env), {
    code: 1,
    output: /DATABASE_URL: required, because the embedded database .* was moved/,
  })
  t.equal((await runVerifyLog({ ...env, DATABASE_URL: url })).code, 0)

  const service = await startServer(t, { ...env, DATABASE_URL: url, DRIFT_INTERVAL: '1s' })
  const token = await service.signIn()
  t.match(await service.call('login', { body: ann }), { code: 401 }, 'the second factor is still asked for')
  t.match((await service.call('listDevices', { token })).data.devices, [{ name: 'door' }])
  t.match((await service.call('listBackups', { token })).data.backups.length, 1)
  const run = await service.call('compareDirectory', { token, body: { kind: 'users' } })
  t.match(run, { code: 200, data: { state: 'done', added: 0, updated: 0, moved: 0, failed: 0 } })
  t.equal(await bind('ann', ann.password), 0)
  t.equal(await bind('bob', 'bob has a password'), 0)
  t.equal(await entriesInDirectory(), started, 'no entry was written')
  await service.call('addUser', { token, body: person('cid', { password: 'cid has a password', roleIds: [2] }) })
  t.equal(await bind('cid', 'cid has a password'), 0, 'the directory follows as before')

  t.match(await move(['--to-file', file], { env }), { status: 2, stderr: /was moved to a server/ })
  const busy = await move(['--to', await emptyDatabase('third')], { env: { ...env, DATABASE_URL: url } })
  t.match(busy, { status: 2, stderr: /a service still runs: stop it/ }, 'from PostgreSQL too')
  await trial(t, url)
  await service.stop()
  t.match(await move(['--to', url], { env: { ...env, DATABASE_URL: url } }), {
    status: 2,
    stderr: /is not empty|another installation/,
  })
  const third = await emptyDatabase('fourth')
  t.match(await move(['--to', third], { env: { ...env, DATABASE_URL: url } }), { status: 0 }, 'to another PostgreSQL')
  t.strictSame(differences(await contents(url, ''), await contents(third, '')), [])
})

t.test('what is in the way of a move is refused, with what to do', { skip }, async (t) => {
  const other = join(folder, 'other')
  await copyTemplate(other)
  const otherEnv = { DATA_DIR: other }
  const url = await emptyDatabase('claimed')
  const empty = await move(['--to', url], { env: otherEnv })
  t.match(empty, { status: 2, stderr: /holds no installation yet: start the service once/ })
  t.match(await move(['--to', url], { env: { DATA_DIR: join(folder, 'nowhere') } }), {
    status: 2,
    stderr: /holds no installation yet/,
  })
  t.notOk(existsSync(join(folder, 'nowhere')))

  const running = await startServer(t, otherEnv)
  const busy = await move(['--to', url], { env: otherEnv })
  t.match(busy, {
    status: 2,
    stderr: /the service that runs on .*; stop it \(systemctl stop steward, .*\), run npm run move -- again/,
  })
  const dry = await move(['--to', url, '--dry-run'], { env: otherEnv })
  t.match(dry, { status: 2, stderr: /the service that runs on/ })
  await running.stop()
  t.equal(await tablesIn(url), 0)

  await filled(url, 'create table notes (id int)')
  t.match(await move(['--to', url], { env: otherEnv }), { status: 2, stderr: /not empty \(public\.notes\)/ })
  await filled(url, 'drop table notes')
  const ascii = await emptyDatabase('ascii')
  await administrator?.unsafe(`drop database ascii`)
  t.match(await move(['--to', ascii], { env: otherEnv }), {
    status: 2,
    stderr: /^ +--to: mover@127\.0\.0\.1:\d+\/ascii has no such database/m,
  })
  const wrong = new URL(url)
  wrong.password = 'a-wrong-password'
  const refused = await move(['--to', wrong.href], { env: otherEnv })
  t.match(refused, { status: 2, stderr: /^ +--to: mover@.* refused the password/m })
  t.notMatch(refused.stderr, 'a-wrong-password')

  t.match(await move(['--to', url], { env: otherEnv }), { status: 0 })
  const again = await move(['--to', url], { env: { DATA_DIR: other } })
  t.match(again, { status: 2, stderr: /was moved to a server/ })
  await rm(join(other, 'moved-to-a-server'))
  t.match(
    await move(['--to', url], { env: otherEnv }),
    { status: 0, stdout: /An earlier run had copied and compared everything/ },
    'killed between the end of the copy and the note that it is moved',
  )
  t.ok(existsSync(join(other, 'moved-to-a-server')))
  await rm(join(other, 'moved-to-a-server'))
  const onward = await startServer(t, otherEnv)
  await onward.signIn('admin', adminPassword)
  await onward.stop()
  t.match(await move(['--to', url], { env: otherEnv }), { status: 2, stderr: /and the installation was used since/ })
  t.match(await move(['--to', 'embedded', '--data-dir', other], { env: otherEnv }), {
    status: 2,
    stderr: /is not empty/,
  })
})

t.test('PgBouncer is in the way, also of a dry run', { skip: skip || pgbouncerMissing }, async (t) => {
  const { url } = await testPgBouncer(t, server?.url ?? '')
  for (const more of [[], ['--dry-run']]) {
    const refused = await move(['--to', url, ...more], { env })
    t.match(refused, { status: 2, stderr: /^ +--to: \S+ is PgBouncer: name PostgreSQL itself$/m })
  }
})
