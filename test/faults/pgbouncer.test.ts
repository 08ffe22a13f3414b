import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { parseConfig } from '../../src/config/config.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { operationLogs } from '../../src/db/schema.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { pgbouncerMissing, testPgBouncer } from '../pgbouncer-server.ts'
import { skipWithoutSlapd, testSlapd } from '../slapd.ts'
import { adminPassword, steward } from '../steward.ts'

// PgBouncer between the service and PostgreSQL: each transaction gets a connection of the server that others have used.

const password = 'keep-this-one-out-of-the-log'
const skip = postgresMissing || pgbouncerMissing || skipWithoutSlapd

const open = async (t: Test, url: string, directUrl: string | null): Promise<Database> => {
  const database = await openDatabase({
    url,
    directUrl,
    dataDir: t.testdir(),
    log: silent,
    timeout: 0,
    catchEscapes: true,
  })
  t.teardown(() => database.close())
  return database
}

t.test('PgBouncer in transaction mode', { skip }, async (t) => {
  const server = await testPostgres(t, { password })
  const bouncer = await testPgBouncer(t, server.url)
  const [first, second] = await Promise.all([open(t, bouncer.url, server.url), open(t, bouncer.url, server.url)])
  const directory = await testSlapd(t)
  const env = { JWT_SECRET: 'the same on all instances, 32 characters' }
  const one = await steward(t, { database: first, directory, env })
  const two = await steward(t, { database: second, directory, env })

  t.test('people, groups, sign-ins and the directory', async (t) => {
    const names = Array.from({ length: 40 }, (_, n) => `person${n}`)
    const replies = await Promise.all(names.map((name) => one.ask('addUser', { body: person(name) })))
    t.same([...new Set(replies.map(({ code }) => code))], [0])
    // The same statement many times, on all connections, which the driver would prepare otherwise.
    for (let round = 0; round < 5; round++) {
      const lists = await Promise.all(
        names.map((name) => one.take('listUsers', { query: { username: name, pageSize: 10 } })),
      )
      t.ok(lists.every(({ users }) => users.length > 0))
    }
    await eventually(async () => {
      const { users } = await one.take('listUsers', { query: { syncState: 2 } })
      return users.length === 0
    }, 'the directory has all of them')
    const tokens = await Promise.all(Array.from({ length: 8 }, () => two.signIn('admin', adminPassword)))
    t.equal(tokens.length, 8)
  })

  t.test('more queries at once than connections', async (t) => {
    // One that is complete at once, and one whose parameters the driver asks about first.
    const { db } = second
    const pair = async (n: number): Promise<unknown[]> => {
      const [, [built], , [written]] = await Promise.all([
        db.execute(sql`select 1`),
        db.execute<{ n: number }>(sql`select ${n}::int as n`),
        db.$client`select 1`,
        db.$client<{ n: number }[]>`select ${n}::int as n`,
      ])
      return [built?.n, written?.n]
    }
    for (let round = 0; round < 20; round++) {
      const numbers = Array.from({ length: 30 }, (_, n) => n)
      t.same(
        await Promise.all(numbers.map(pair)),
        numbers.map((n) => [n, n]),
      )
    }
  })

  t.test('what one instance changes takes effect on the other', async (t) => {
    const { id, token } = await one.person('reader')
    t.equal((await two.call('getUserInfo', { token })).code, 0)
    await one.take('changeUserStatus', { body: { id, status: 2 } })
    await eventually(async () => (await two.call('getUserInfo', { token })).code === 401, 'the other instance knows')
  })

  t.test('a backup, and the operation log', async (t) => {
    await one.take('createBackup', { body: { type: 'manual' } })
    await eventually(async () => {
      const { backups } = await one.take('listBackups')
      return backups.some(({ status }) => status === 'success')
    }, 'the backup is there')
    await one.take('verifyLog')
    const verified = await eventually(async () => (await two.take('getLogChain')).verification, 'the log is verified')
    t.match(verified, { failure: '', broken: undefined })
    await eventually(async () => (await first.db.$count(operationLogs)) > 200, 'all requests are in the log')
  })

  t.test('after PgBouncer was restarted', async (t) => {
    await bouncer.stop()
    t.equal((await one.ask('addUser', { body: person('meanwhile') })).code, 503)
    await bouncer.start()
    await eventually(async () => (await one.ask('addUser', { body: person('later') })).code === 0, 'people are added')
    t.ok(await one.take('getLogChain'))
  })

  t.test('each connection works in UTC', async (t) => {
    const rows = await Promise.all(
      Array.from({ length: 20 }, () =>
        first.db.execute<{ zone: string }>(sql`select current_setting('TimeZone') as zone`),
      ),
    )
    t.same([...new Set(rows.map(([row]) => row?.zone))], ['UTC'])
  })

  t.test('a limit of the server for each statement', async (t) => {
    const admin = postgres(server.url, { max: 1 })
    t.teardown(() => admin.end())
    const { id } = await one.person('slow.one')
    await admin`alter role postgres set lock_timeout = '50ms'`
    t.teardown(() => admin`alter role postgres reset lock_timeout`)
    // PgBouncer takes connections with the new limit from now on.
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`
    await eventually(async () => (await one.ask('getUserInfo', {})).code === 0, 'new connections')
    await admin.begin(async (tx) => {
      await tx`select from users where id = ${id} for update`
      const reply = await one.ask('updateUser', { body: { ...person('slow.one'), id, roleIds: [], departmentId: [] } })
      t.match(reply, { code: 503, reason: 'service.database_away' })
    })
  })
})

t.test('settings that do not fit', { skip }, async (t) => {
  const server = await testPostgres(t, { password })
  const bouncer = await testPgBouncer(t, server.url)
  const other = await testPostgres(t, { password })
  const said = (url: string, directUrl: string | null) =>
    open(t, url, directUrl).then(
      () => '',
      (error: Error) => error.message,
    )
  const at = (setting: string, { url }: { url: string }): string => `${setting}: postgres@${new URL(url).host}/postgres`
  const itself = 'is PgBouncer: set DATABASE_DIRECT_URL to PostgreSQL itself'
  t.match(await said(bouncer.url, null), `${at('DATABASE_URL', bouncer)} ${itself}`)
  t.match(await said(bouncer.url, bouncer.url), `${at('DATABASE_DIRECT_URL', bouncer)} ${itself}`)
  t.match(await said(bouncer.url, other.url), 'DATABASE_DIRECT_URL: this is another database than that of DATABASE_URL')
  const config = parseConfig({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: server.url, EMBEDDED_LDAP_PORT: 'off' })
  t.match(await checkDatabase(config, false), [
    { state: 'ok', text: `DATABASE_DIRECT_URL: ${new URL(server.url).host} is the primary` },
    { state: 'ok', text: /^DATABASE_URL: PostgreSQL/ },
  ])
  await server.stop()
  t.match(await said(bouncer.url, server.url), `${at('DATABASE_DIRECT_URL', server)} does not answer`)
  const away = await checkDatabase(config, false)
  t.match(away, [
    { state: 'problem', text: /^DATABASE_DIRECT_URL: .* does not answer \(ECONNREFUSED\)/ },
    { state: 'problem', text: /^DATABASE_URL: / },
  ])
  t.notMatch(JSON.stringify(away), password)
})
