import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { prepared } from '../../src/db/prepared.ts'
import { facts, users } from '../../src/db/schema.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { postgresMissing, silent, testPostgres } from '../database.ts'
import { eventually } from '../eventually.ts'

const open = async (t: Test, url: string): Promise<Database> => {
  const database = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  return database
}

t.test('on a PostgreSQL server', { skip: postgresMissing }, async (t) => {
  const server = await testPostgres(t)

  t.test('five instances that start at once on an empty database all come up', async (t) => {
    const instances = await Promise.all(Array.from({ length: 5 }, () => open(t, server.url)))
    for (const { db } of instances) t.equal(await db.$count(users), 0)
    const [row] = await (instances[0] as Database).db.execute(
      sql`select count(*)::int as n from drizzle.__drizzle_migrations`,
    )
    const [again] = await (await open(t, server.url)).db.execute(
      sql`select count(*)::int as n from drizzle.__drizzle_migrations`,
    )
    t.strictSame(row, again, 'each migration ran once')
  })

  t.test('a database from before the first release is refused, and left as it is', async (t) => {
    const { url } = await testPostgres(t)
    const { db } = await open(t, url)
    const year = 365 * 86_400_000
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - ${year}::bigint`)
    await t.rejects(openDatabase({ url, dataDir: '', log: silent }), { message: /from before its first release/ })
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at + ${year}::bigint`)
    t.equal(await (await open(t, url)).db.$count(users), 0)
  })

  for (const mode of ['fast', 'immediate'] as const) {
    t.test(
      `after a restart (${mode}) requests that were under way have failed and the next ones succeed`,
      async (t) => {
        const { db } = await open(t, server.url)
        const admin = postgres(server.url, { max: 1, onnotice: () => {} })
        const sleepers = async (): Promise<number> => {
          const [row] = await admin`
            select count(*)::int from pg_stat_activity where wait_event = 'PgSleep' or state = 'idle in transaction'`
          return Number(row?.count)
        }
        const sleeping = db.execute(sql`select pg_sleep(30)`).then(() => 'done', isUnavailable)
        const inTransaction = db
          .transaction(async (tx) => {
            await tx.insert(facts).values({ name: `in flight ${mode}`, value: 1 })
            await tx.execute(sql`select pg_sleep(30)`)
          })
          .then(() => 'done', isUnavailable)
        let restarted: (value?: unknown) => void = () => {}
        const restart = new Promise((resolve) => {
          restarted = resolve
        })
        const afterwards: unknown[] = []
        const between = db
          .transaction(async (tx) => {
            await tx.insert(facts).values({ name: `between ${mode}`, value: 1 })
            await restart
            // The connection is another one now: nothing of this may run outside the transaction.
            afterwards.push(
              await tx
                .insert(facts)
                .values({ name: `after ${mode}`, value: 1 })
                .catch(isUnavailable),
            )
            afterwards.push(await tx.transaction(async () => 'ran').catch(isUnavailable))
          })
          .then(() => 'done', isUnavailable)
        const survives = db
          .transaction(async (tx) => {
            await tx.insert(facts).values({ name: `survives ${mode}`, value: 1 })
            await tx.execute(sql`select pg_sleep(30)`).catch(() => {})
            return 'looks fine'
          })
          .then(() => 'done', isUnavailable)
        await eventually(async () => (await sleepers()) === 4, 'all four are under way')
        await admin.end()
        await server.stop(mode)
        t.strictSame(await Promise.all([sleeping, inTransaction, between, survives]), [true, true, true, true])
        t.equal(await db.$count(users).then(() => 'done', isUnavailable), true, 'while it is down')
        await server.start()
        restarted()
        const counts = Array.from({ length: 20 }, () => db.$count(facts))
        t.strictSame(
          await Promise.all(counts),
          Array.from({ length: 20 }, () => 0),
          'nothing was half done',
        )
        await eventually(() => afterwards.length === 2, 'both have failed')
        t.strictSame(afterwards, [true, true])
        await db.transaction(async (tx) => {
          await tx.insert(facts).values({ name: 'kept', value: mode })
          await tx.delete(facts)
        })
      },
    )
  }

  t.test('connections that are ended in the middle of a crowd are soon forgotten', async (t) => {
    const { db } = await open(t, server.url)
    const hangman = await open(t, server.url)
    const refused: unknown[] = []
    let hanged: readonly { pid: number }[] = []
    const one = db.select({ one: sql<number>`1` }).from(sql`(values (1)) as one`)
    const short = prepared<[one: number]>(db, one, { short: true })
    const touch = (_: unknown, n = 0): Promise<unknown> => (n % 2 === 0 ? db.execute(sql`select 1`) : short({}))
    for (let round = 0; round < 20; round++) {
      const crowd: Promise<unknown>[] = []
      let ended = false
      // At every turn of the event loop, so that some are about to be sent when their connection closes.
      const arrive = (): void => {
        for (let n = 0; n < 10; n++) crowd.push(touch(null, n).catch((error: unknown) => refused.push(error)))
        if (!ended && crowd.length < 5000) setImmediate(arrive)
      }
      arrive()
      hanged = await hangman.db.execute<{ pid: number }>(sql`
        select pid, pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'steward' and pid <> pg_backend_pid()`)
      // And some more that find the connections gone.
      const seen = crowd.length
      await eventually(() => crowd.length >= Math.min(seen + 50, 5000), 'more have arrived')
      ended = true
      await Promise.all(crowd)
    }
    t.ok(refused.length > 0 && refused.every(isUnavailable), `${refused.length} queries were hit`)
    // The last of them may be ended only now.
    await eventually(async () => {
      const left = await hangman.db.execute<{ pid: number }>(sql`select pid from pg_stat_activity`)
      return !left.some(({ pid }) => hanged.some((one) => one.pid === pid))
    }, 'the end of the last connections')
    await Promise.allSettled([0, 1].map(touch))
    const started = performance.now()
    await Promise.all(Array.from({ length: 60 }, touch))
    t.ok(performance.now() - started < 20_000, 'no connection of the pools is stuck')
    const [left] = await hangman.db.execute<{ count: number }>(sql`
      select count(*)::int from pg_stat_activity where application_name = 'steward'`)
    t.ok((left?.count ?? 99) <= 30, `${left?.count} connections are open`)
  })

  t.test('a long transaction goes on when other connections are lost', async (t) => {
    const { db } = await open(t, server.url)
    const hangman = await open(t, server.url)
    const slept = (tx: Pick<typeof db, 'execute'>, seconds: number) =>
      tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(${seconds})::text`)
    const crowd = await Promise.all([1, 2, 3].map(() => db.transaction((tx) => slept(tx, 0.2))))
    const long = db.transaction(async (tx) => {
      const own = await slept(tx, 1)
      // Longer than a query may take after the loss.
      await slept(tx, 11)
      return [...own, ...(await slept(tx, 0))]
    })
    const stuck = slept(db, 30).then(
      () => 'answered',
      (error: unknown) => isUnavailable(error),
    )
    await delay(500)
    const others = crowd.flat().map(({ pid }) => pid)
    const ended = await hangman.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where pid in ${others} and state = 'idle'`)
    t.ok(ended.length > 0, `${ended.length} idle connections were ended`)
    const pids = new Set((await long).map(({ pid }) => pid))
    t.equal(pids.size, 1, 'on one connection')
    t.equal(await stuck, true, 'a query is told that it was lost')
    await db.transaction((tx) => slept(tx, 0))
    await eventually(async () => {
      const left = await hangman.db.execute<{ pid: number }>(sql`select pid from pg_stat_activity`)
      return !left.some(({ pid }) => pids.has(pid))
    }, 'the end of its connection')
  })

  t.test('a listener hears what is sent, and of a gap after the server was away', async (t) => {
    const { db, listen } = await open(t, server.url)
    if (!listen) throw new Error('a server can listen')
    const heard: string[] = []
    let gaps = 0
    const unlisten = await listen(
      'changes',
      (payload) => heard.push(payload),
      () => {
        gaps++
      },
    )
    await db.execute(sql`select pg_notify('changes', 'one')`)
    await eventually(() => heard.length === 1, 'the first')
    t.equal(gaps, 0)
    await server.restart()
    await eventually(() => gaps > 0, 'the gap')
    t.equal(gaps, 1)
    await db.execute(sql`select pg_notify('changes', 'two')`)
    await eventually(() => heard.length === 2, 'the second')
    t.strictSame(heard, ['one', 'two'])
    await unlisten()
  })

  t.test('a start waits for a server that is not up yet', async (t) => {
    await server.stop()
    const lines: string[] = []
    const warn = (...line: unknown[]) => void lines.push(String(line.at(-1)))
    const opening = openDatabase({ url: server.url, dataDir: '', log: { ...silent, warn } })
    await eventually(() => lines.length > 0, 'it says that it waits')
    await server.start()
    const database = await opening
    t.equal(await database.db.$count(users), 0)
    t.match(lines[0], /Waiting for the database: postgres@127\.0\.0\.1:\d+\/postgres does not answer yet/)
    await database.close()
  })

  t.test('a start that waited in vain says so', async (t) => {
    const url = 'postgres://postgres:hunter2@127.0.0.1:1/postgres'
    const message = /DATABASE_URL: postgres@127\.0\.0\.1:1\/postgres does not answer \(ECONNREFUSED\)/
    await t.rejects(openDatabase({ url, dataDir: '', log: silent, timeout: 100 }), { message })
  })

  t.test('a database that does not exist is named at once', async (t) => {
    const url = server.url.replace(/postgres$/, 'nowhere')
    await t.rejects(openDatabase({ url, dataDir: '', log: silent }), {
      message: /DATABASE_URL: postgres@127\.0\.0\.1:\d+\/nowhere has no such database/,
    })
  })
})

t.test('a wrong password is reported at once, and not shown', { skip: postgresMissing }, async (t) => {
  const server = await testPostgres(t, { password: 'right one' })
  const url = server.url.replace('right%20one', 'hunter2')
  const error = await openDatabase({ url, dataDir: '', log: silent }).catch((error: Error) => error)
  t.match(error, { message: /DATABASE_URL: postgres@127\.0\.0\.1:\d+\/postgres refused the password/ })
  t.notMatch(String((error as Error).stack), 'hunter2')
})
