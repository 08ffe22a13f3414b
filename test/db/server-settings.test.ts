import { sql } from 'drizzle-orm'
import postgres, { type Sql } from 'postgres'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { serverSettings, sessionLimits } from '../../src/db/server-settings.ts'
import { postgresMissing, silent, testEmbeddedDatabase, testPostgres, testServerDatabase } from '../database.ts'
import { pgbouncerMissing, testPgBouncer } from '../pgbouncer-server.ts'

const suite = async (t: Test, { db }: Pick<Database, 'db'>): Promise<void> => {
  for (const [name, value] of Object.entries(serverSettings)) {
    const [row] = await db.execute<{ value: string }>(sql`select current_setting(${name}) as value`)
    t.equal(row?.value, value, name)
  }
}

t.test('PostgreSQL has our settings', { skip: postgresMissing }, async (t) => suite(t, await testServerDatabase(t)))

t.test('its limits for others do not end what takes long', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const admin = postgres(url, { max: 1 })
  t.teardown(() => admin.end())
  for (const limit of ['idle_session_timeout', 'statement_timeout', 'lock_timeout'])
    await admin.unsafe(`alter database postgres set ${limit} = '200ms'`)
  const { db, close } = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(close)
  const slept = (seconds: number): Promise<unknown> =>
    db.transaction((tx) => tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(${seconds})::text`))
  const sessions = async (): Promise<number[]> => {
    const rows = await admin<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`
    return rows.map(({ pid }) => pid)
  }
  await Promise.all([slept(0.1), slept(0.1), slept(0.1)])
  const open = await sessions()
  t.ok(open.length >= 3, `${open.length} are open`)
  // Had one of them been closed, the client would be replaced, and this be ended after ten seconds.
  await slept(1)
  t.same(await sessions(), open)
  const second = await openDatabase({ url, dataDir: '', log: silent, upToDate: true })
  t.teardown(() => second.close())
  await admin`select pg_advisory_lock(1234)`
  const waiting = second.db.execute(sql`select pg_advisory_lock(1234)`)
  await slept(0.5)
  await admin`select pg_advisory_unlock(1234)`
  await t.resolves(waiting, 'a lock is waited for')
})

t.test('as many limits are set as the server takes', { skip: postgresMissing || pgbouncerMissing }, async (t) => {
  const { url } = await testPostgres(t, { password: 'one-of-its-own' })
  const connect = (settings: Record<string, string>) =>
    postgres(url, { max: 1, connection: settings, onnotice: () => {} })
  const all = await sessionLimits(connect)
  const known = { statement_timeout: '0', lock_timeout: '0', idle_session_timeout: '0' }
  t.match(all, known)
  const asked: string[][] = []
  await sessionLimits((settings) => {
    asked.push(Object.keys(settings))
    return connect(settings)
  })
  t.same(asked, [[], Object.keys(all)], 'no connection is refused to learn what it has')
  const passedOver = ['jit', 'random_page_cost']
  const { tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count, tcp_user_timeout, ...none } = all
  const signs = [tcp_keepalives_idle, tcp_keepalives_interval, tcp_keepalives_count, tcp_user_timeout]
  t.same(signs, ['30', '10', '3', '60000'])
  for (const [more, limits] of [
    [[], {}],
    [Object.keys(none), none],
    [Object.keys(all), all],
  ] as const) {
    const ignored = `ignore_startup_parameters = ${[...passedOver, ...more].join(', ')}`
    const bouncer = await testPgBouncer(t, url, ['pool_mode = session', ignored])
    const through = (settings: Record<string, string>) =>
      postgres(bouncer.url, { max: 1, connection: settings, onnotice: () => {} })
    t.same(await sessionLimits(through), limits, ignored)
    const { db, close } = await openDatabase({ url: bouncer.url, dataDir: '', log: silent, timeout: 0 })
    t.match(await db.execute(sql`select 1 as one`), [{ one: 1 }], 'in session mode no direct address is needed')
    await close()
  }
})

t.test('the locks of a machine that is gone do not last for hours', { skip: postgresMissing }, async (t) => {
  const { url } = await testPostgres(t)
  const { db, close } = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(close)
  const [row] = await db.execute<{ seconds: number }>(sql`
    select sum(setting::int * case name when 'tcp_keepalives_interval' then 3 else 1 end)::int as seconds
    from pg_settings where name in ('tcp_keepalives_idle', 'tcp_keepalives_interval')`)
  t.equal(row?.seconds, 60)
  const answer = await db.execute(
    sql`select setting::int / 1000 as seconds from pg_settings where name = 'tcp_user_timeout'`,
  )
  t.match(answer, [{ seconds: 60 }], 'also while an answer is on its way')
})

t.test('of a newer server also the limit of transactions', async (t) => {
  const { db } = await testEmbeddedDatabase(t)
  const [row] = await db.execute<{ version: number }>(sql`select current_setting('server_version_num')::int as version`)
  t.ok(Number(row?.version) >= 170_000)
  // It has one connection, which goes on.
  const connect = () => Object.assign(db.$client.bind(null), { end: async () => {} }) as unknown as Sql
  const all = { statement_timeout: '0', lock_timeout: '0', idle_session_timeout: '0', transaction_timeout: '0' }
  t.match(await sessionLimits(connect), all)
})

t.test('so has the embedded database', async (t) => suite(t, await testEmbeddedDatabase(t)))
