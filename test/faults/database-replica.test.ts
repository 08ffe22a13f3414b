import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { parseConfig } from '../../src/config/config.ts'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { fallbackReasons, type ReadingHow } from '../../src/db/replica.ts'
import { users } from '../../src/db/schema.ts'
import { openMetrics } from '../../src/metrics/open-metrics.ts'
import { openLifetime } from '../../src/runtime/lifetime.ts'
import { publishedOperations } from '../contract/published.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { person } from '../people/console.ts'
import { type PostgresServer, startPostgres } from '../postgres-server.ts'
import { steward, type TestSteward } from '../steward.ts'
import { listInputs } from './list-inputs.ts'

// DATABASE_REPLICA_URL: lists, searches and figures go to a standby that has all that the primary has.

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
  const { reading } = database
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

/** What goes to a standby. Of all others each reads few rows, decides on a change, or has to be what the primary has. */
const readElsewhere = [
  'dashboard',
  'listUsers',
  'listGroups',
  'getGroupTree',
  'listUsersInGroup',
  'listUsersNotInGroup',
  'listOperationLogs',
  'listPeople',
  'listDepartments',
  'listMembers',
  'listRoleHolders',
  'listApiHolders',
  'listLogEntries',
  'exportLog',
  'getOverview',
  'getScore',
  'listFirstSteps',
  'listSecurityStatus',
  'getReport',
]

const clockOf = async (client: postgres.Sql): Promise<string> => {
  const [row] = await client`select clock_timestamp()::text as now`
  return row?.now
}

/** Whether the service asked for more than how far the standby is. */
const wasRead = async (onStandby: postgres.Sql, since: string): Promise<boolean> => {
  const found = await onStandby`
    select from pg_stat_activity where application_name = 'steward'
      and query_start > ${since}::timestamptz and query !~ 'pg_last_wal_replay_lsn'`
  return found.length > 0
}

t.test('lists, searches and figures are read there, and nothing else', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const onStandby = clientOf(t, standby)
  const s = await steward(t, { database: await open(t, primary.url, standby.url), directory: 'none' })
  const { id: userId } = await s.take('addUser', { body: person('one') })
  const { id: groupId } = await s.take('addGroup', { body: { groupName: 'g', groupType: 'cn', parentId: 0 } })
  const inputs = listInputs({ groupId, userId, runId: 1, roleId: 1, apiId: 1 })
  const read: string[] = []
  const gets = [...publishedOperations().values()].filter(
    ({ method, media }) => method === 'GET' && !media.includes('text/event-stream'),
  )
  for (const { id } of gets) {
    const since = await clockOf(onStandby)
    const { path, query } = inputs[id] ?? {}
    await s.ask(id as 'listUsers', { ...(path && { params: path as never }), ...(query && { query }) })
    if (await wasRead(onStandby, since)) read.push(id)
  }
  t.same(read.sort(), readElsewhere.toSorted())
})

t.test('callers see what they and others were answered', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const onStandby = clientOf(t, standby)
  const env = { JWT_SECRET: 'the same on both instances, 32 characters' }
  const first = await steward(t, { database: await open(t, primary.url, standby.url), env })
  const second = await steward(t, {
    database: await open(t, primary.url, standby.url),
    directory: 'none',
    env,
  })
  const instances = [first, second]
  const names = async (t: Test, s: TestSteward): Promise<string[]> => {
    const { people } = await s.take('listPeople', { query: { limit: 200 } })
    const { users } = await s.take('listUsers')
    const listed = people.map(({ username }) => username).sort()
    t.same(users.map(({ username }) => username).sort(), listed)
    return listed
  }
  /** It is left alone for some seconds after it could not be used. */
  const readsThere = async (s: TestSteward): Promise<boolean> => {
    const since = await clockOf(onStandby)
    await s.take('listUsers', { query: { pageSize: 1 } })
    return wasRead(onStandby, since)
  }
  const allReadThere = async (): Promise<void> => {
    for (const s of instances) await eventually(() => readsThere(s), 'the standby is read from')
  }
  const added: string[] = ['admin']
  /** Adds people at one instance and looks for them at both. */
  const addAndLook = async (t: Test, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const username = `person${added.length}`
      const { id } = await first.take('addUser', { body: person(username) })
      added.push(username)
      for (const s of instances) t.ok((await names(t, s)).includes(username), `${username} is in the next list`)
      await second.take('changeUserStatus', { body: { id, status: 2 } })
      for (const s of instances) {
        const { users } = await s.take('listUsers', { query: { username, pageSize: 10 } })
        t.match(users, [{ username, status: 2 }])
      }
    }
  }

  await t.test('while the standby follows', async (t) => {
    await allReadThere()
    await addAndLook(t, 10)
    for (const s of instances) t.ok(await readsThere(s), 'it was there in time each time')
  })
  await t.test('and that the directory has it', async (t) => {
    await allReadThere()
    for (let n = 0; n < 10; n += 1) {
      const username = `person${added.length}`
      const { id } = await first.take('addUser', { body: person(username) })
      added.push(username)
      const { users } = await first.take('listUsers', { query: { username, pageSize: 1 } })
      t.match(users, [{ id, syncState: 1, userDn: new RegExp(`^uid=${username},`) }])
    }
    for (const s of instances) t.ok(await readsThere(s))
  })
  await t.test('where commits do not wait for the disk', async (t) => {
    const onPrimary = clientOf(t, primary)
    for (const value of ['off', 'on']) {
      await onPrimary.unsafe(`alter system set synchronous_commit = ${value}`)
      await onPrimary`select pg_reload_conf()`
      await allReadThere()
      if (value === 'off') await addAndLook(t, 5)
    }
  })
  await t.test('while it is behind', async (t) => {
    await onStandby`select pg_wal_replay_pause()`
    await addAndLook(t, 3)
    await onStandby`select pg_wal_replay_resume()`
  })
  await t.test('a right that was withdrawn is gone at once', async (t) => {
    const { id: roleId } = await first.take('addRole', { body: { name: 'desk', keyword: 'desk', sort: 5 } })
    const { apis } = await first.take('listApis', { query: { path: '/user/list', pageSize: 10 } })
    const apiIds = apis.map(({ id }) => id)
    const { token } = await first.person('desk', { roleIds: [roleId] })
    added.push('desk')
    const asked = () => second.call('listUsers', { query: { pageSize: 1 }, token })
    for (const paused of [false, true]) {
      await allReadThere()
      await first.take('updateRoleApis', { body: { roleId, apiIds } })
      // Another instance hears of a change of rights a moment later, on a standby or without one.
      await eventually(async () => (await asked()).code === 0, 'the right is there')
      if (paused) await onStandby`select pg_wal_replay_pause()`
      await first.take('updateRoleApis', { body: { roleId, apiIds: [] } })
      t.equal((await first.call('listUsers', { query: { pageSize: 1 }, token })).code, 403)
      await eventually(async () => (await asked()).code === 403, 'and gone')
      if (paused) await onStandby`select pg_wal_replay_resume()`
    }
  })
  await t.test('an attribute that was hidden is not shown from then on', async (t) => {
    await first.db.execute(sql`update sessions set stepped_up_at = now()`)
    const { id: roleId } = await first.take('addRole', { body: { name: 'front', keyword: 'front', sort: 6 } })
    const { apis } = await first.take('listApis', { query: { path: '/operations/people', pageSize: 100 } })
    await first.take('updateRoleApis', { body: { roleId, apiIds: apis.map(({ id }) => id) } })
    const { token } = await first.person('front', { roleIds: [roleId] })
    const { id: other } = await first.take('addRole', { body: { name: 'pay', keyword: 'pay', sort: 6 } })
    const labels = { en: 'Account', 'zh-CN': '账号' }
    const { id } = await first.take('declareAttribute', { body: { kind: 'user', name: 'iban', labels, type: 'text' } })
    const { users } = await first.take('listUsers', { query: { username: 'front', pageSize: 1 } })
    const [{ id: whose = 0 } = {}] = users
    await first.take('setPersonAttributes', { params: { id: whose }, body: { values: { iban: ['DE1'] } } })
    const shown = async (s: TestSteward) => {
      const { body } = await s.call('listPeople', { query: { limit: 200, show: 'iban' }, token })
      return body.includes('DE1')
    }
    await eventually(() => shown(second), 'the role may list people')
    for (const paused of [false, true]) {
      await allReadThere()
      await first.take('updateAttribute', { params: { id }, body: { seeRoles: [] } })
      for (const s of instances) t.ok(await shown(s))
      if (paused) await onStandby`select pg_wal_replay_pause()`
      await first.take('updateAttribute', { params: { id }, body: { seeRoles: [other] } })
      for (const s of instances) t.notOk(await shown(s))
      if (paused) await onStandby`select pg_wal_replay_resume()`
    }
  })
  await t.test('when the standby was promoted, what the primary has counts', async (t) => {
    await allReadThere()
    await standby.promote()
    await onStandby`delete from users where username = 'person1'`
    await addAndLook(t, 3)
  })
})

/** A primary, and two standbys of it. */
const withStandbys = async (t: Test) => {
  const former = await testPostgres(t, { password })
  const standby = () => startPostgres({ password, standbyOf: former.url })
  const [next, other] = [await standby(), await standby()]
  t.teardown(() => Promise.all([next.dispose(), other.dispose()]))
  return { former, next, other }
}

t.test('a standby of the former primary that came further than the new one', { skip: postgresMissing }, async (t) => {
  const { former, next, other } = await withStandbys(t)
  await (await openDatabase({ url: former.url, dataDir: '', log: silent })).close()
  const [onFormer, onNext, onOther] = [clientOf(t, former), clientOf(t, next), clientOf(t, other)]
  await eventually(
    async () => (await onNext`select from pg_tables where tablename = 'users'`).length === 1,
    'it follows',
  )
  await onNext`alter system set primary_conninfo = ''`
  await onNext`select pg_reload_conf()`
  await eventually(async () => (await onFormer`select from pg_stat_replication`).length === 1, 'it is cut off')
  await onFormer`insert into users (username, username_key, nickname) select 'lost' || n, 'lost' || n, repeat('x', 50) from generate_series(1, 2000) n`
  await eventually(async () => (await onOther`select from users`).length === 2000, 'only the other one has them')
  await former.stop('immediate')
  await next.promote()
  const database = await open(t, next.url, other.url)
  const seen = () => database.reading((db) => db.$count(users))
  t.equal(await seen(), 0, 'what was lost is not shown')
  // It has another history as long as it is not made anew.
  await onNext`insert into users (username, username_key, nickname) select 'new' || n, 'new' || n, repeat('x', 50) from generate_series(1, 5000) n`
  t.equal(await seen(), 5000)
})

t.test('a standby that follows a new primary is read from again', { skip: postgresMissing }, async (t) => {
  const { former, next, other } = await withStandbys(t)
  const [onFormer, onOther] = [clientOf(t, former), clientOf(t, other)]
  await eventually(async () => (await onFormer`select from pg_stat_replication`).length === 2, 'both follow')
  await former.stop('fast')
  await next.promote()
  await onOther.unsafe(`alter system set primary_conninfo = '${next.url}'`)
  await onOther`select pg_reload_conf()`
  const database = await open(t, next.url, other.url)
  const readAt = async () => {
    const [row] = await database.reading((db) => db.execute(sql`select current_setting('port') as port`))
    return row?.port
  }
  await eventually(async () => (await readAt()) === portOf(other), 'the other standby is read from')
  t.pass()
})

t.test('what a standby refuses is asked of the primary', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const database = await open(t, primary.url, standby.url)
  const { reading } = database
  const portAfter = (statement: string) =>
    reading(async (db) => {
      await db.execute(sql.raw(statement))
      const [row] = await db.execute<{ port: string }>(sql`select current_setting('port') as port`)
      return row?.port
    })
  await eventually(async () => (await portAfter('select 1')) === portOf(standby), 'it is read from')
  t.equal(await portAfter('select pg_current_wal_lsn()'), portOf(primary), 'which can answer')
  t.equal(await portAfter('select 1'), portOf(standby), 'it is not left for that')
  await t.rejects(portAfter('select 1 / 0'), { cause: { code: '22012' } }, 'both refuse')
  const own = new Error('not one of the database')
  await t.rejects(
    reading(() => Promise.reject(own)),
    own,
  )
  t.equal(await portAfter('select 1'), portOf(standby))

  await t.test('a read that takes too long there', async (t) => {
    const ports: unknown[] = []
    const port = await reading(
      async (db) => {
        const [row] = await db.execute<{ port: string }>(sql`select current_setting('port') as port`)
        ports.push(row?.port)
        if (ports.length === 1) await db.execute(sql`select pg_sleep(20)`)
        return row?.port
      },
      { within: 200 },
    )
    t.same(ports, [portOf(standby), portOf(primary)])
    t.equal(port, portOf(primary))
  })
  await t.test('and what comes when all connections are in use', async (t) => {
    await eventually(async () => (await portAfter('select 1')) === portOf(standby), 'it is read from again')
    const counted = await eventually(async () => {
      const ports = await Promise.all(Array.from({ length: 12 }, () => portAfter('select pg_sleep(0.5)')))
      const [those, others] = [standby, primary].map((server) => ports.filter((port) => port === portOf(server)).length)
      // On a busy machine one may have ended before the last is asked, or one of before may still be in use.
      return those === 8 && others === 4
    }, 'eight are asked of the standby, and what is more of the primary')
    t.ok(counted)
  })
})

/** How the counters of the metrics stand: the label of a reason, and `standby`. */
const openCounters = async (t: Test, database: Database): Promise<() => Promise<Record<string, number>>> => {
  const { atEnd, end } = openLifetime(silent)
  t.teardown(end)
  const { url } = await openMetrics({
    ...{ database, receiver: null, logWaiting: () => 0, directoryPools: () => [], atEnd, log: silent },
    settings: { host: '127.0.0.1', port: 0, token: null },
  })
  return async () => {
    const text = await (await fetch(url)).text()
    const samples = text.matchAll(/^steward_standby_(?:reads|fallbacks)_total(?:\{reason="(\w+)"\})? (\d+)$/gm)
    return Object.fromEntries([...samples].map(([, reason = 'standby', count]) => [reason, Number(count)]))
  }
}

t.test('the metrics tell how many reads go where, and why', { skip: postgresMissing }, async (t) => {
  const { primary, standby } = await pair(t)
  const [onPrimary, onStandby] = [clientOf(t, primary), clientOf(t, standby)]
  const database = await open(t, primary.url, standby.url)
  const counters = await openCounters(t, database)
  t.same(await counters(), { standby: 0, ...Object.fromEntries(fallbackReasons.map((reason) => [reason, 0])) })

  const run = (statement: string, how?: ReadingHow) => database.reading((db) => db.execute(sql.raw(statement)), how)
  const seen = new Set<string>()
  /** What the work adds to the counters, which stand still otherwise. */
  const adds = async (wanted: Record<string, number>, work: () => Promise<unknown>): Promise<void> => {
    await eventually(async () => {
      const before = await counters()
      await run('select 1')
      return (await counters()).standby === (before.standby ?? 0) + 1
    }, 'the standby is read from')
    const before = await counters()
    await work()
    const added = Object.entries(await counters()).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
    t.same(Object.fromEntries(added.filter(([, count]) => count !== 0)), wanted)
    for (const name of Object.keys(wanted)) seen.add(name)
  }

  await adds({ standby: 3 }, async () => {
    for (let n = 0; n < 3; n += 1) await run('select 1')
  })
  await adds({ standby: 8, busy: 4 }, () => Promise.all(Array.from({ length: 12 }, () => run('select pg_sleep(0.5)'))))
  await adds({ refused: 1, standby: 1 }, async () => {
    await run('select pg_current_wal_lsn()')
    await run('select 1')
  })
  await adds({}, () => t.rejects(database.reading(() => Promise.reject(new Error('not one of the database')))))
  // While it is left alone, for the same reason.
  await adds({ slow: 3 }, async () => {
    await run('select pg_sleep(0.5)', { within: 100 })
    for (let n = 0; n < 2; n += 1) await run('select 1')
  })
  await onStandby`alter system set max_standby_streaming_delay = 0`
  await onStandby`select pg_reload_conf()`
  await adds({ conflict: 1 }, async () => {
    const read = run('select pg_sleep(2), count(*) from users')
    const isRead = async () => (await onStandby`select from pg_locks where relation = 'users'::regclass`).length > 0
    await eventually(isRead, 'the standby reads')
    await onPrimary.begin((tx) => tx`lock table users in access exclusive mode`)
    await read
  })
  await adds({ behind: 1 }, async () => {
    await onStandby`select pg_wal_replay_pause()`
    await onPrimary`create table more ()`
    await run('select 1')
  })
  await onStandby`select pg_wal_replay_resume()`
  await adds({ away: 1 }, async () => {
    await standby.stop('immediate')
    await run('select 1')
  })
  await standby.start()
  await adds({ other_history: 1 }, async () => {
    await standby.promote()
    await run('select 1')
  })
  t.same([...seen].sort(), ['standby', ...fallbackReasons].sort())
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
