import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t from 'tap'
import { openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { steward } from '../steward.ts'

// A PostgreSQL that answers and refuses. Whatever its reason, the request may succeed later, so the answer is 503.

t.test('a database that refuses', { skip: postgresMissing }, async (t) => {
  const server = await testPostgres(t, { password: 'the server has one' })
  const administrator = postgres(server.url, { max: 1, onnotice: () => {} })
  t.teardown(() => administrator.end())
  await administrator.unsafe(`create role steward login password 'one'`)
  await administrator.unsafe('create database steward owner steward')
  const url = new URL(server.url)
  Object.assign(url, { username: 'steward', password: 'one', pathname: '/steward' })
  const database = await openDatabase({ url: url.href, dataDir: '', log: silent })
  t.teardown(database.close)
  const { call, token, logs } = await steward(t, { directory: 'none', database })

  const disconnect = (): Promise<unknown> =>
    administrator`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'steward'`
  const works = (): Promise<unknown> =>
    eventually(async () => (await call('listUsers', { token })).code === 0 || undefined, 'the database is used again')

  for (const [what, sqlState, begin, end] of [
    [
      'takes no connections',
      '55000',
      'alter database steward allow_connections false',
      'alter database steward allow_connections true',
    ],
    [
      'takes no more connections',
      '53300',
      'alter role steward connection limit 0',
      'alter role steward connection limit -1',
    ],
    ['has another password', '28P01', `alter role steward password 'two'`, `alter role steward password 'one'`],
    ['does not let the user in', '28000', 'alter role steward nologin', 'alter role steward login'],
    ['is gone', '3D000', 'alter database steward rename to elsewhere', 'alter database elsewhere rename to steward'],
  ] as const) {
    await t.test(`because it ${what} (${sqlState})`, async (t) => {
      logs.length = 0
      // A database can be renamed only while there is no connection to it.
      await administrator.unsafe('alter database steward allow_connections false')
      await disconnect()
      await eventually(async () => {
        const [row] = await administrator`select count(*)::int as count from pg_stat_activity where usename = 'steward'`
        return row?.count === 0 || undefined
      }, 'all connections are over')
      await administrator.unsafe(begin)
      if (sqlState !== '55000') {
        const name = sqlState === '3D000' ? 'elsewhere' : 'steward'
        await administrator.unsafe(`alter database ${name} allow_connections true`)
      }
      // A connection that was begun before may tell why it was refused then; the next ones tell the reason of now.
      const toldWhy = async (): Promise<boolean> => {
        const replies = await Promise.all([
          ...Array.from({ length: 5 }, () => call('listUsers', { token })),
          call('getGroupTree', { token }),
          call('listAlerts', { token }),
          call('login', { body: { username: 'admin', password: 'x' } }),
          call('listRuns', { token }),
          call('getReadiness'),
        ])
        for (const { code } of replies) t.equal(code, 503)
        return logs.some((line) => line.includes(sqlState))
      }
      await eventually(toldWhy, 'the log says why')
      await administrator.unsafe(end)
      if (sqlState === '55000') await administrator.unsafe('alter database steward allow_connections true')
      await works()
    })
  }

  await t.test('because it only reads, as a standby does (25006)', async (t) => {
    await administrator.unsafe('alter database steward set default_transaction_read_only = on')
    await disconnect()
    const body = { groupName: 'North', groupType: 'cn', parentId: 0 }
    await eventually(async () => (await call('addGroup', { token, body })).code === 503 || undefined, 'it only reads')
    const refused = /^the (database is not available|operation log cannot be written now)$/
    t.match(await call('addGroup', { token, body }), { code: 503, msg: refused })
    await administrator.unsafe('alter database steward reset default_transaction_read_only')
    await disconnect()
    await eventually(async () => (await call('addGroup', { token, body })).code === 0 || undefined, 'it writes again')
  })

  await t.test('and what it refuses because of the request is not a 503', async (t) => {
    await t.rejects(database.db.execute(sql`select 1 / 0`))
    t.match(await call('getRun', { token, params: { id: 77 } }), { code: 404 })
  })
})
