import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { newestEntry } from '../../src/audit/log-mark.ts'
import { checkDatabase } from '../../src/commands/doctor/servers.ts'
import { parseConfig } from '../../src/config/config.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { openReading } from '../../src/db/replica.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { person } from '../people/console.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { steward } from '../steward.ts'

// DATABASE_REPLICA_URL: reads of the operation log go to a standby that has all that the primary has.

const password = 'keep-this-one-out-of-the-log'
const portOf = ({ url }: PostgresServer): string => new URL(url).port

const clientOf = (t: Test, { url }: PostgresServer): postgres.Sql => {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => client.end({ timeout: 0 }))
  return client
}

/** A primary and a standby that the primary does not wait for. */
const pair = async (t: Test): Promise<{ primary: PostgresServer; standby: PostgresServer }> => {
  const primary = await testPostgres(t, { password })
  const standby = await startPostgres({ password, standbyOf: primary.url })
  t.teardown(() => standby.dispose())
  return { primary, standby }
}

const open = async (t: Test, url: string, replicaUrl: string): Promise<Database> => {
  const database = await openDatabase({ url, replicaUrl, dataDir: '', log: silent })
  t.teardown(() => database.close())
  return database
}

t.test('a standby with all that the primary has is read from', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const onStandby = clientOf(t, standby)
  const database = await open(t, primary.url, standby.url)
  const s = await steward(t, { database, directory: 'none' })
  const reading = openReading(database, newestEntry, silent)
  const readAt = (): Promise<string> =>
    reading(async (db) => {
      const [row] = await db.execute<{ port: string }>(sql`select current_setting('port') as port`)
      return row?.port ?? ''
    })
  const used = (server: PostgresServer): Promise<boolean> =>
    eventually(async () => (await readAt()) === portOf(server), 'the other server is read from')
  /** Whether what a caller did is in the log that they read next. */
  const readsOwn = async (username: string): Promise<boolean> => {
    const { id } = await s.take('addUser', { body: person(username) })
    const { entries } = await s.take('listLogEntries', { query: { limit: 5, changes: true } })
    const { logs } = await s.take('listOperationLogs', { query: { pageNum: 1, pageSize: 5 } })
    const [first] = entries
    t.match(first, { path: '/user/add', target: new RegExp(`${id}|${username}`) })
    return logs.some(({ seq }) => seq === first?.id)
  }

  await used(standby)
  t.ok(await readsOwn('one'))
  await eventually(async () => {
    await s.take('listLogEntries', { query: { limit: 5 } })
    // The last query for a page: who the users of its entries are.
    const found = await onStandby`
      select 1 from pg_stat_activity where application_name = 'steward' and query ~ 'from "users"'`
    return found.length > 0
  }, 'the service reads the log there')

  await t.test('not while it is behind', async (t) => {
    await onStandby`select pg_wal_replay_pause()`
    t.ok(await readsOwn('two'))
    t.equal(await readAt(), portOf(primary))
    await onStandby`select pg_wal_replay_resume()`
    await used(standby)
  })
  await t.test('not while it hangs', async (t) => {
    standby.freeze()
    t.ok(await readsOwn('three'))
    t.equal(await readAt(), portOf(primary))
    standby.thaw()
    await used(standby)
  })
  await t.test('a read that it does not finish is done on the primary', async (t) => {
    await used(standby)
    const ends: string[] = []
    const port = await reading(async (db) => {
      const [row] = await db.execute<{ port: string }>(sql`select current_setting('port') as port`)
      ends.push(row?.port ?? '')
      if (ends.length === 1) await db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      return row?.port
    })
    t.same(ends, [portOf(standby), portOf(primary)])
    t.equal(port, portOf(primary))
    await used(standby)
  })
  await t.test('not while it is away', async (t) => {
    await standby.stop('immediate')
    t.ok(await readsOwn('four'))
    t.equal(await readAt(), portOf(primary))
    await standby.start()
    await used(standby)
    t.ok(await readsOwn('five'))
  })
})

t.test('what is not the standby of this database is not read from', { skip: postgresMissing }, async (t) => {
  const primary = await testPostgres(t, { password })
  const other = await testPostgres(t, { password })
  await (await openDatabase({ url: other.url, dataDir: '', log: silent })).close()
  const away = `postgres://postgres:${password}@127.0.0.1:${await freePort()}/postgres`
  for (const replica of [other.url, away]) {
    const database = await open(t, primary.url, replica)
    const env = { JWT_SECRET: 'the same at both starts, 32 characters' }
    const s = await steward(t, { database, directory: 'none', env })
    t.ok((await s.take('listLogEntries', { query: { limit: 5 } })).entries.length > 0, 'the start does not need it')
    await s.close()
  }
  const env = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: away, EMBEDDED_LDAP_PORT: 'off' }
  const said = await checkDatabase(parseConfig(env), false)
  t.match(said, [{ state: 'note', text: /^DATABASE_REPLICA_URL: .* does not answer/ }, { state: 'ok' }])
  t.notMatch(JSON.stringify(said), password)
})
