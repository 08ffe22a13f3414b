import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { inOrder, inTransaction, lastInOrder, markTransaction } from '../../src/db/in-order.ts'
import { facts } from '../../src/db/schema.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { postgresMissing, silent, testEmbeddedDatabase, testPostgres } from '../database.ts'
import { watchedWire } from '../watched-wire.ts'

// A transaction sends its `begin` together with its first reads, and its `commit` together with its last statements.

const store = (name: string) => sql`insert into ${facts} (name, value) values (${name}, '1')`
const namesOf = (name: string) => sql`select name from ${facts} where name like ${`${name}%`} order by name`

const suite = async (t: Test, { db }: Pick<Database, 'db'>, connections: number): Promise<void> => {
  const names = async (name: string): Promise<unknown[]> => {
    const rows = await db.execute<{ name: string }>(namesOf(name))
    return rows.map((row) => row.name)
  }

  t.test('what the last statements stored is committed with them', async (t) => {
    const result = await db.transaction(async (tx) => {
      await tx.execute(store('first a'))
      const [, rows] = await lastInOrder(
        tx,
        () => tx.execute(store('first b')),
        () => tx.execute(namesOf('first')),
      )
      return rows.length
    })
    t.equal(result, 2)
    t.same(await names('first'), ['first a', 'first b'])
  })

  t.test('if one of them fails, nothing is stored, and its error is thrown', async (t) => {
    const fails = db.transaction(async (tx) => {
      await tx.execute(store('second a'))
      await lastInOrder(
        tx,
        () => tx.execute(store('second b')),
        () => tx.execute(sql`select 1 / 0`),
        () => tx.execute(store('second c')),
      )
    })
    await t.rejects(fails, { cause: { code: '22012' } })
    t.same(await names('second'), [])
  })

  t.test('a failure before, which the callback has not told, is not a success', async (t) => {
    const fails = db.transaction(async (tx) => {
      await tx.execute(sql`select 1 / 0`).catch(() => {})
      await tx.execute(sql.raw('commit'))
    })
    await t.rejects(fails, { message: /not committed/ })
    t.same(await names('third'), [])
  })

  t.test('nothing can follow the commit, and a savepoint cannot commit', async (t) => {
    const late = db.transaction(async (tx) => {
      await lastInOrder(tx, () => tx.execute(store('fourth a')))
      await tx.execute(store('fourth b'))
    })
    await t.rejects(late, { cause: { name: 'TransactionEscapeError' } })
    t.same(await names('fourth'), ['fourth a'])
    const nested = db.transaction(async (tx) => {
      await tx.transaction((inner) => lastInOrder(inner, () => inner.execute(store('fourth c'))))
    })
    await t.rejects(nested, { cause: { name: 'TransactionEscapeError' } })
    t.same(await names('fourth'), ['fourth a'])
  })

  t.test('a callback that fails at once, or while its first statements wait, stores nothing', async (t) => {
    const fails = db.transaction(async (tx) => {
      tx.execute(store('fifth a')).catch(() => {})
      throw new Error('changed its mind')
    })
    await t.rejects(fails, { message: 'changed its mind' })
    t.same(await names('fifth'), [])
  })

  t.test('statements are sent in their order, reads and writes', async (t) => {
    for (let round = 0; round < 20; round++) {
      const counts = await db.transaction(async (tx) => {
        const count = async (): Promise<number> => (await tx.execute(namesOf(`sixth ${round} `))).length
        const done = await inOrder(
          count,
          () => tx.execute(store(`sixth ${round} a`)),
          count,
          () => tx.execute(store(`sixth ${round} b`)),
          count,
        )
        return [done[0], done[2], done[4]]
      })
      t.same(counts, [0, 1, 2])
    }
  })

  t.test('hundreds at once, each with its own commit, leave the connections to those that follow', async (t) => {
    const some = Array.from({ length: 300 }, (_, n) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        await lastInOrder(tx, () => tx.execute(store(`seventh ${String(n).padStart(3, '0')}`)))
      }),
    )
    await Promise.all(some)
    t.equal((await names('seventh')).length, 300)
    await Promise.all(Array.from({ length: 50 }, () => db.transaction((tx) => tx.execute(sql`select 1`))))
  })

  t.test('a transaction behind as many queries as the driver sends on one connection by default', async (t) => {
    const ask = async (n: number) => db.execute(sql`select ${n}::int as n, pg_sleep(${0.001}::float8)`)
    // Each connection knows the statement, so that the driver sends it without waiting for an answer.
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)))
    const ways = connections * 100
    for (const before of [ways - 1, ways, ways + 1]) {
      const asked = Array.from({ length: before }, (_, n) => ask(n))
      // Their turn comes first.
      for (let tick = 0; tick < 10; tick++) await null
      const stored = Array.from({ length: connections }, (_, n) =>
        db.transaction((tx) => tx.execute(store(`eighth ${before} ${n}`))),
      )
      await Promise.all([...asked, ...stored])
      t.equal((await names(`eighth ${before}`)).length, connections)
    }
  })
}

t.test('on the embedded database', async (t) => suite(t, await testEmbeddedDatabase(t), 1))

t.test('on a PostgreSQL server', { skip: postgresMissing }, async (t) => {
  const server = await testPostgres(t)
  const spoiled = { begin: false, cutAtCommit: false }
  const wire = await watchedWire(t, server.url, (sent) => {
    const text = sent.toString('latin1')
    if (spoiled.cutAtCommit && text.includes('commit')) return null
    return spoiled.begin ? Buffer.from(text.replaceAll('begin ', 'bogus '), 'latin1') : sent
  })
  const database = await openDatabase({ url: wire.url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const { db } = database
  await suite(t, database, 10)

  t.test('one round trip for a transaction that reads first', async (t) => {
    const run = () =>
      db.transaction(async (tx) => {
        const [[row]] = await lastInOrder(
          tx,
          () => tx.execute<{ n: number }>(sql`select ${markTransaction}, ${2}::int as n`),
          () => tx.execute(sql`update ${facts} set value = '3' where name = ${'one trip'} and ${inTransaction}`),
        )
        return row?.n
      })
    await db.execute(store('one trip'))
    // Each connection has to know the statements.
    for (let n = 0; n < 60; n++) await run()
    const before = wire.trips()
    t.equal(await run(), 2)
    t.equal(wire.trips() - before, 1)
    const [row] = await db.execute(sql`select value from ${facts} where name = 'one trip'`)
    t.same(row, { value: 3 })
  })

  t.test('where `begin` fails, nothing is changed, and the connection is used again', async (t) => {
    for (let n = 0; n < 30; n++) {
      spoiled.begin = true
      const fails = db.transaction(async (tx) => {
        await lastInOrder(
          tx,
          () => tx.execute(sql`select ${markTransaction}, ${2}::int as n`),
          () => tx.execute(sql`update ${facts} set value = '4' where name = ${'one trip'} and ${inTransaction}`),
          () => tx.execute(store(`spoiled ${n}`)),
        )
      })
      await t.rejects(fails, { code: '42601' })
      const early = db.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        await tx.execute(store(`spoiled later ${n}`))
      })
      await t.rejects(early, { code: '42601' })
      spoiled.begin = false
    }
    t.same(await db.execute(sql`select name from ${facts} where name like 'spoiled%'`), [])
    const [row] = await db.execute(sql`select value from ${facts} where name = 'one trip'`)
    t.same(row, { value: 3 })
  })

  t.test('a connection that is lost with the commit is an error of the database', async (t) => {
    spoiled.cutAtCommit = true
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      await lastInOrder(tx, () => tx.execute(store('cut')))
    })
    const error: unknown = await lost.catch((error: unknown) => error)
    spoiled.cutAtCommit = false
    t.ok(isUnavailable(error), String(error))
    await db.transaction((tx) => lastInOrder(tx, () => tx.execute(store('after the cut'))))
    t.same(await db.execute(sql`select name from ${facts} where name like '%cut' order by name`), [
      { name: 'after the cut' },
    ])
  })
})
