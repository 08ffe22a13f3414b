import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { forgetFailures, successSteps } from '../../src/auth/attempt-counter.ts'
import { isStored, newSession, sessionOpening } from '../../src/auth/sessions.ts'
import { type Db, openDatabase } from '../../src/db/client.ts'
import { postgresMissing, silent, testDatabase, testEmbeddedDatabase, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'
import { watchedWire } from '../watched-wire.ts'
import { adminPassword, startService, uniqueName } from './sign-in-service.ts'

// How attempts to sign in are counted: a success in the statement that opens the session, all else on its own.

t.setTimeout(240_000)

interface Counted extends Record<string, unknown> {
  pending: number
  failures: number
}

const countedOf = async (db: Db, key: string): Promise<Counted> => {
  const [row] = await db.execute<Counted>(sql`
    select pending, cardinality(failed_at) as failures from throttles where key = ${key}`)
  return { pending: row?.pending ?? 0, failures: row?.failures ?? 0 }
}

const wrongPassword = 'wrong password'

t.test('on any database', async (t) => {
  const database = await testDatabase(t)
  const service = await startService(t, database)
  await service.bootstrap()
  const { db, call, addUser, meanwhile, throttle } = service
  const attempt = async (username: string, password: string) =>
    (await call('login', { body: { username, password } })).code
  /** Once, while the next password is checked. */
  const whileChecked = (change: SQL): void => {
    meanwhile.check = async () => {
      meanwhile.check = async () => {}
      await db.execute(change)
    }
  }

  t.test('a success clears the failures before it, and no attempt stays in progress', async (t) => {
    const username = uniqueName()
    await addUser(username)
    for (const _ of [1, 2, 3]) t.equal(await attempt(username, wrongPassword), 401)
    t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 3 })
    t.equal(await attempt(username, adminPassword), 0)
    t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 0 })
  })

  t.test('where no session is opened, a right password is a failure, and clears none', async (t) => {
    const changes: Record<string, (id: number) => SQL> = {
      'the user is disabled meanwhile': (id) => sql`update users set status = 2 where id = ${id}`,
      'they get another password meanwhile': (id) => sql`update users set password_hash = 'x' where id = ${id}`,
      'they are deleted meanwhile': (id) => sql`delete from users where id = ${id}`,
      'they enrol an app meanwhile': (id) =>
        sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`,
    }
    for (const [what, change] of Object.entries(changes)) {
      const username = uniqueName()
      const id = await addUser(username)
      t.equal(await attempt(username, wrongPassword), 401)
      whileChecked(change(id))
      t.equal(await attempt(username, adminPassword), 401, what)
      t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 2 }, what)
      const [row] = await db.execute<{ opened: number }>(
        sql`select count(*)::int as opened from sessions where user_id = ${id}`,
      )
      t.equal(row?.opened, 0, what)
    }
  })

  t.test('after a delay the user is as they are by then', async (t) => {
    const username = uniqueName()
    const id = await addUser(username)
    for (let n = 0; n < 7; n++) t.equal(await attempt(username, wrongPassword), 401)
    const [row] = await db.execute<{ hash: string }>(sql`select password_hash as hash from users where id = ${id}`)
    await db.execute(sql`update users set password_hash = 'not yet' where id = ${id}`)
    const delayed = attempt(username, adminPassword)
    await eventually(async () => (await countedOf(db, `account:${username}`)).pending === 1, 'it has begun')
    await db.execute(sql`update users set password_hash = ${row?.hash ?? ''} where id = ${id}`)
    t.equal(await delayed, 0)
  })

  t.test('a failure counts also where its beginning was lost', async (t) => {
    const username = uniqueName()
    whileChecked(sql`delete from throttles`)
    t.equal(await attempt(username, wrongPassword), 401)
    t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 1 })
  })

  t.test('an error is neither, and ends the attempt', async (t) => {
    const username = uniqueName()
    await addUser(username)
    t.equal(await attempt(username, wrongPassword), 401)
    meanwhile.check = () => Promise.reject(new Error('out of memory'))
    t.equal(await attempt(username, adminPassword), 500)
    meanwhile.check = async () => {}
    t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 1 })
  })

  t.test('a success whose answer is lost is counted once', async (t) => {
    const username = uniqueName()
    const id = await addUser(username)
    const [user] = await db.execute<{ hash: string }>(sql`select password_hash as hash from users where id = ${id}`)
    const attemptOn = throttle.reading<number>(sql`select to_json(1)`)
    const subject = { counted: [`account:${username}`], cleared: [`account:${username}`], who: { address: '' } }
    const openCounted = sessionOpening(db, successSteps)
    const origin = { address: '10.0.0.1', userAgent: '' }
    const kind = { now: new Date(), longest: 1000, console: false, steppedUp: false }
    const lost = new Error('the answer is lost')
    let end: (result: null) => void = () => {}
    const ended = new Promise<null>((resolve) => {
      end = resolve
    })
    const other = attemptOn(subject, {}, () => ended)
    await eventually(
      async () => (await countedOf(db, `account:${username}`)).pending === 1,
      'another attempt is in progress',
    )
    for (const passwordHash of [user?.hash ?? '', 'another']) {
      const { opened, stored } = newSession({ id, passwordHash }, origin, kind)
      const losing = attemptOn(subject, {}, (_, ongoing) =>
        ongoing.succeed(
          async (values) => {
            await openCounted(stored, values)
            throw lost
          },
          () => isStored(opened),
        ),
      )
      await t.rejects(losing, lost)
      t.same(
        await countedOf(db, `account:${username}`),
        { pending: 1, failures: 0 },
        'the other one is still in progress',
      )
    }
    end(null)
    await other
    t.same(await countedOf(db, `account:${username}`), { pending: 0, failures: 1 })
  })

  t.test('of thirty attempts at once from one address, right and wrong ones, ten fail', async (t) => {
    const office = service.from('192.0.2.30')
    const usernames = Array.from({ length: 30 }, uniqueName)
    for (const username of usernames) await addUser(username)
    const codes = await Promise.all(
      usernames.map(async (username, n) => {
        const password = n % 5 === 0 ? adminPassword : wrongPassword
        return (await office('login', { body: { username, password } })).code
      }),
    )
    const count = (code: number): number => codes.filter((one) => one === code).length
    t.equal(count(401), 10)
    t.equal(count(0) + count(401) + count(429), 30)
    t.same(await countedOf(db, 'address:192.0.2.30'), { pending: 0, failures: 10 })
  })
})

// The embedded database has one connection, which keeps all plans.
t.test('attempts are counted fast also after many names were tried', async (t) => {
  const service = await startService(t, await testEmbeddedDatabase(t))
  await service.bootstrap()
  const { db, call, addUser } = service
  const username = uniqueName()
  await addUser(username)
  const attempts = async (): Promise<void> => {
    for (const password of [wrongPassword, adminPassword]) await call('login', { body: { username, password } })
  }
  /** Rows of the table that were read from its beginning to its end. */
  const read = async (): Promise<number> => {
    await db.execute(sql`select pg_stat_force_next_flush()`)
    const [row] = await db.execute<{ read: string }>(sql`
      select seq_tup_read as read from pg_stat_user_tables where relname = 'throttles'`)
    return Number(row?.read)
  }
  await db.execute(sql`analyze throttles`)
  for (let n = 0; n < 10; n++) await attempts()
  await db.execute(sql`
    insert into throttles (key, last_attempt_at) select 'account:name' || n, now() from generate_series(1, 20000) n`)
  const before = await read()
  await attempts()
  t.ok((await read()) - before < 20_000)
})

t.test('on a PostgreSQL server', { skip: postgresMissing }, async (t) => {
  const server = await testPostgres(t)
  const wire = await watchedWire(t, server.url)
  const database = await openDatabase({ url: wire.url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const service = await startService(t, database)
  await service.bootstrap()
  const { call, addUser, meanwhile } = service
  const direct = await openDatabase({ url: server.url, dataDir: '', log: silent, upToDate: true })
  t.teardown(() => direct.close())

  t.test('round trips to the database', async (t) => {
    const username = uniqueName()
    await addUser(username)
    const office = service.from('192.0.2.40')
    // What the service does beside it only adds to that.
    const least = async (...attempts: { username: string; password: string }[]): Promise<number> => {
      const counts: number[] = []
      for (const body of attempts) {
        const before = wire.trips()
        await office('login', { body })
        await service.alerts.close()
        counts.push(wire.trips() - before)
      }
      return Math.min(...counts)
    }
    // Each connection has to know the statements.
    const often = (body: { username: string; password: string }) => Array.from({ length: 25 }, () => body)
    t.equal(await least(...often({ username, password: adminPassword })), 2)
    const administrator = often({ username: 'admin', password: adminPassword })
    t.equal(await least(...administrator), 3, 'an administrator: one more, which addresses they came from')
    const others = Array.from({ length: 4 }, () => ({ username: uniqueName(), password: wrongPassword }))
    t.equal(await least(...others), 2, 'a failure')
  })

  const standbys = async (names: string): Promise<void> => {
    await direct.db.execute(sql.raw(`alter system set synchronous_standby_names = '${names}'`))
    await direct.db.execute(sql`select pg_reload_conf()`)
  }
  /** The statements that wait for a standby. */
  const awaited = async (): Promise<string[]> => {
    const rows = await direct.db.execute<{ text: string }>(sql`
      select query as text from pg_stat_activity where wait_event = 'SyncRep'`)
    return rows.map(({ text }) => text)
  }

  t.test('only a failure waits until it is on the disk of a synchronous standby', async (t) => {
    const [username, other] = [uniqueName(), uniqueName()]
    await addUser(username)
    await addUser(other)
    await standbys('away')
    let answered = 0
    const before = service.counts.verified
    const attempts = [wrongPassword, adminPassword].map(async (password, n) => {
      const { code } = await call('login', { body: { username: n === 0 ? username : other, password } })
      answered += 1
      return code
    })
    // Both have begun, and wait for their result to be stored.
    await eventually(async () => (await awaited()).length === 2, 'a failure and a session wait')
    t.equal(service.counts.verified - before, 2)
    t.equal(answered, 0)
    await standbys('')
    t.same(await Promise.all(attempts), [401, 0])
  })

  t.test('no answer to a wrong mailed code tells by its time whether a code was mailed', async (t) => {
    const username = uniqueName()
    await addUser(username)
    const mail = `${username}@example.org`
    t.equal((await call('sendCode', { body: { mail } })).code, 0)
    await service.mails()
    await standbys('away')
    const answers = [mail, 'unknown@example.org'].map((mail) =>
      call('changePasswordByCode', { body: { mail, code: '000000', newPassword: 'chosen-by-myself-3' } }),
    )
    await eventually(async () => (await awaited()).length === 2, 'both wait')
    const waiting = await awaited()
    await standbys('')
    t.equal(new Set(waiting).size, 1, 'for the same')
    for (const { code } of await Promise.all(answers)) t.equal(code, 400)
  })

  t.test('the user is locked before the attempts', async (t) => {
    const username = uniqueName()
    const id = await addUser(username)
    let released: () => void = () => {}
    const release = new Promise<void>((resolve) => {
      released = resolve
    })
    let holding: Promise<void> = Promise.resolve()
    meanwhile.check = () =>
      new Promise((held) => {
        holding = direct.db.transaction(async (tx) => {
          await tx.execute(sql`select from users where id = ${id} for update`)
          held()
          await release
          // As an administrator does who unlocks the user.
          await tx.execute(sql`select from throttles where key = ${`account:${username}`} for update nowait`)
        })
      })
    const signIn = call('login', { body: { username, password: adminPassword } })
    await eventually(async () => {
      const rows = await direct.db.execute(sql`select from pg_stat_activity where wait_event_type = 'Lock'`)
      return rows.length > 0
    }, 'the sign-in waits for the user')
    released()
    meanwhile.check = async () => {}
    await t.resolves(holding)
    t.equal((await signIn).code, 0)
  })

  t.test('sign-ins of one user, changes of their password and of their lock do not meet in a deadlock', async (t) => {
    const username = uniqueName()
    const id = await addUser(username)
    const deadlocks = async (): Promise<number> => {
      const [row] = await direct.db.execute<{ deadlocks: string }>(sql`
        select deadlocks from pg_stat_database where datname = current_database()`)
      return Number(row?.deadlocks)
    }
    const before = await deadlocks()
    const codes = new Set<number>()
    let isOver = false
    const signIns = Array.from({ length: 6 }, async () => {
      while (!isOver) codes.add((await call('login', { body: { username, password: adminPassword } })).code)
    })
    const changes = Array.from({ length: 3 }, async () => {
      for (let n = 0; n < 40; n++) {
        await direct.db.transaction(async (tx) => {
          await tx.execute(sql`update users set updated_at = now() where id = ${id}`)
          await forgetFailures(tx, [`account:${username}`])
        })
      }
    })
    await Promise.all(changes)
    isOver = true
    await Promise.all(signIns)
    t.same([...codes], [0])
    t.equal(await deadlocks(), before)
  })
})
