import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { parseConfig } from '../../src/config/config.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { hostsOf, type PostgresServer } from '../postgres-server.ts'

// DATABASE_URL with several hosts: which one is used, and what is said where none can be.

const password = 'keep-this-one-out-of-the-log'

/** A primary and a standby. */
const pair = async (t: Test): Promise<{ primary: PostgresServer; standby: PostgresServer }> => {
  const primary = await testPostgres(t, { password })
  const standby = await primary.standby()
  t.teardown(() => standby.dispose())
  return { primary, standby }
}

const open = async (t: Test, url: string, timeout = 0): Promise<Database> => {
  const database = await openDatabase({ url, dataDir: '', log: silent, timeout })
  t.teardown(() => database.close())
  return database
}

/** A server that accepts connections and never says a word. */
const silentServer = async (t: Test): Promise<{ url: string }> => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `postgres://postgres:${password}@127.0.0.1:${(server.address() as AddressInfo).port}/postgres` }
}

const portOf = async ({ db }: Database): Promise<string> => {
  const [row] = await db.execute<{ port: string }>(sql`select current_setting('port') as port`)
  return row?.port ?? ''
}

t.test('servers that cannot be used', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const hanging = await silentServer(t)
  const port = (server: { url: string }): string => new URL(server.url).port

  t.test('are passed over at the start', async (t) => {
    const refusing = { url: `postgres://127.0.0.1:${await freePort()}` }
    const unknown = { url: 'postgres://no-such-host.invalid:5432' }
    const url = hostsOf(standby, hanging, refusing, unknown, primary)
    t.equal(await portOf(await open(t, url)), port(primary))
  })

  t.test('are named where all are such, without the password', async (t) => {
    const refusing = { url: `postgres://127.0.0.1:${await freePort()}` }
    const unknown = { url: 'postgres://no-such-host.invalid:5432' }
    const error = await open(t, hostsOf(standby, hanging, refusing, unknown)).then(
      () => null,
      (failure: unknown) => failure as Error,
    )
    const at = '127\\.0\\.0\\.1'
    t.match(
      error?.message,
      new RegExp(
        `DATABASE_URL: postgres@\\S+/postgres has no server that accepts changes: ${at}:${port(standby)} is a standby, ` +
          `${at}:${port(hanging)} does not answer \\((CONNECT_TIMEOUT|no answer within 2000 ms)\\), ` +
          `${at}:${port(refusing)} does not answer \\(ECONNREFUSED\\), no-such-host\\.invalid:5432 has no address in the DNS`,
      ),
    )
    t.notMatch(error?.message, password)
    const wrong = hostsOf(primary, standby).replace(password, 'wrong')
    const started = performance.now()
    await t.rejects(open(t, wrong, 600_000), { message: /refused the password.*refused the password/ })
    t.ok(performance.now() - started < 60_000, 'nothing is waited for')
  })

  t.test('are waited for at the start, as one server is', async (t) => {
    await primary.stop()
    const opening = open(t, hostsOf(primary, standby), 600_000)
    await primary.start()
    t.equal(await portOf(await opening), port(primary))
  })

  t.test('are named by the doctor', async (t) => {
    const url = hostsOf(hanging, primary, standby)
    const { databaseUrl, ...config } = parseConfig({ DATABASE_URL: url, EMBEDDED_LDAP_PORT: 'off' })
    const said = (await checkDatabase({ ...config, databaseUrl }, false)).map(({ state, text }) => `${state} ${text}`)
    t.match(said, [/^note .* does not answer/, /^ok .* is the primary$/, /^ok .* is a standby$/])
    const none = await checkDatabase({ ...config, databaseUrl: hostsOf(standby, hanging) }, false)
    t.match(none, [{ state: 'problem', text: /^DATABASE_URL: .* has no server that accepts changes/ }])
    t.notMatch(JSON.stringify([said, none]), password)
  })
})

t.test('while no server can be used, queries fail', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const database = await open(t, hostsOf(primary, standby))
  const { db } = database
  await primary.stop('immediate')
  const answers = await Promise.all(Array.from({ length: 20 }, () => db.execute(sql`select 1`).catch(isUnavailable)))
  t.same(answers, Array(20).fill(true))
  await standby.stop('immediate')
  t.equal(await db.execute(sql`select 1`).catch(isUnavailable), true)
  await primary.start()
  await eventually(() => portOf(database).catch(() => false), 'the former primary is used again')
})

t.test('a primary that hangs is left when another takes over', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const database = await open(t, hostsOf(primary, standby))
  const { db, listen } = database
  const heard: string[] = []
  let gaps = 0
  await listen?.(
    'news',
    (text) => heard.push(text),
    () => {
      gaps += 1
    },
  )
  await db.execute(sql`create table marks (n int)`)
  const waiting = db.execute(sql`select pg_sleep(3600)`).catch(isUnavailable)
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const between = db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into marks values (1)`)
      begun()
      await waiting
      await tx.execute(sql`insert into marks values (2)`)
    })
    .catch(isUnavailable)
  await hasBegun
  await eventually(async () => {
    const [row] = await db.execute(sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)
    return row
  }, 'the query runs')
  primary.freeze()
  await standby.promote()
  t.equal(await waiting, true, 'a query that was under way fails')
  t.equal(await between, true, 'and so does a transaction')
  const port = new URL(standby.url).port
  await eventually(async () => (await portOf(database).catch(() => '')) === port || undefined, 'the other is used')
  t.same([...(await db.execute(sql`select n from marks`))], [], 'nothing of the transaction is there')
  await eventually(() => gaps > 0 || undefined, 'the listener has moved')
  await db.execute(sql`select pg_notify('news', 'after')`)
  await eventually(() => heard.includes('after') || undefined, 'changes are heard')

  // It comes back as it was: two servers accept changes.
  primary.thaw()
  t.equal(await portOf(await open(t, hostsOf(primary, standby))), port, 'the one that was promoted last is taken')
  t.equal(await portOf(database), port)
})
