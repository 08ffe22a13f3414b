import { asc, eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { Tx } from '../../src/db/client.ts'
import { conflictOn } from '../../src/db/constraint.ts'
import { contains } from '../../src/db/like.ts'
import { prepared } from '../../src/db/prepared.ts'
import { facts, groupMembers, groups, users } from '../../src/db/schema.ts'
import { postgresMissing, type TestDatabase, testEmbeddedDatabase, testServerDatabase } from '../database.ts'

const person = (username: string, more: Partial<typeof users.$inferInsert> = {}) => ({
  username,
  usernameKey: username.toLowerCase(),
  nickname: username,
  ...more,
})

const suite = (open: (t: Test) => Promise<TestDatabase>) => async (t: Test) => {
  const database = await open(t)
  const { db } = database
  t.beforeEach(() => database.reset())

  t.test('rows are written, read, changed and deleted', async (t) => {
    const before = Date.now()
    const [written] = await db
      .insert(users)
      .values(person('ada', { mail: 'Ada@example.org' }))
      .returning()
    t.match(written, { id: 1, username: 'ada', mail: 'Ada@example.org', mobile: '', status: 1, passwordHash: null })
    t.ok(written && Math.abs(written.createdAt.getTime() - before) < 60_000, 'the time of day is right')
    await db.update(users).set({ status: 2 }).where(eq(users.username, 'ada'))
    t.match(await db.select({ status: users.status }).from(users), [{ status: 2 }])
    t.strictSame(await db.delete(users).returning({ id: users.id }), [{ id: 1 }])
    t.strictSame(await db.select().from(users), [])
  })

  t.test('a date and a JSON value come back as they went in', async (t) => {
    const updatedAt = new Date('2026-02-03T04:05:06.789Z')
    const value = { text: '中文 "quoted" \\', list: [1, null, { deep: true }] }
    await db.insert(facts).values({ name: 'date', value, updatedAt })
    t.strictSame(await db.select().from(facts), [{ name: 'date', value, updatedAt }])
    const raw = await db.execute(sql`select updated_at, 1::bigint as big from facts`)
    t.strictSame([...raw], [{ updated_at: '2026-02-03 04:05:06.789+00', big: '1' }], 'raw results are text, in UTC')
  })

  t.test('thousands of rows go in with one statement', async (t) => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ username: `user${i}`, mobile: `+49${i}`, note: 'é\'"\\中' }))
    await db.execute(sql`
      insert into users (username, username_key, nickname, mobile, introduction)
      select username, lower(username), username, mobile, note
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (username text, mobile text, note text)`)
    t.equal(await db.$count(users, eq(users.introduction, 'é\'"\\中')), 5000)
  })

  t.test('a search takes the wildcards of LIKE as plain characters', async (t) => {
    await db.insert(users).values(['100%', 'a_b', 'back\\slash', 'plain', 'aXb'].map((name) => person(name)))
    const found = async (text: string) =>
      (await db.select().from(users).where(contains(users.username, text)).orderBy(asc(users.id))).map(
        ({ username }) => username,
      )
    t.strictSame(await found('%'), ['100%'])
    t.strictSame(await found('A_b'), ['a_b'])
    t.strictSame(await found('\\'), ['back\\slash'])
    t.strictSame(await found('LAI'), ['plain'])
    t.equal((await found('')).length, 5)
  })

  t.test('a clash is known by the name of its constraint', async (t) => {
    await db.insert(users).values(person('ada', { mail: 'ada@example.org', jobNumber: '7' }))
    const refusal = (values: typeof users.$inferInsert) =>
      db
        .insert(users)
        .values(values)
        .then(() => null, conflictOn)
    t.equal(await refusal(person('ADA')), 'users_username_key')
    t.equal(await refusal(person('bob', { mail: 'ADA@example.org' })), 'users_mail_key')
    t.equal(await refusal(person('bob', { jobNumber: '7' })), 'users_job_number_key')
    t.equal(await refusal(person('bob', { status: 3 })), null, 'a failed check is not a clash')
    t.equal(await refusal(person('bob')), null, 'an empty field clashes with nothing')
  })

  t.test('a failed transaction leaves nothing, a failed savepoint only its own part', async (t) => {
    await t.rejects(
      db.transaction(async (tx) => {
        await tx.insert(users).values(person('ada'))
        throw new Error('no')
      }),
      { message: 'no' },
    )
    t.equal(await db.$count(users), 0)
    await db.transaction(async (tx) => {
      await tx.insert(users).values(person('ada'))
      await tx
        .transaction(async (nested) => {
          await nested.insert(users).values(person('bob'))
          await nested.insert(users).values(person('ada'))
        })
        .catch((error) => t.equal(conflictOn(error), 'users_username_key'))
      await tx.transaction((nested) => nested.insert(users).values(person('eve')))
    })
    t.strictSame(await db.select({ name: users.username }).from(users).orderBy(asc(users.id)), [
      { name: 'ada' },
      { name: 'eve' },
    ])
  })

  t.test('a query outside the handle of the transaction it runs in is an error, not a deadlock', async (t) => {
    const outside = /inside db\.transaction\(…\) use the handle/
    const messageOf = (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error)
    await db.transaction(async (tx) => {
      t.match(await db.select().from(users).catch(messageOf), outside)
      t.match(await db.execute(sql`select 1`).catch(messageOf), outside)
      const one = db.select({ one: sql`1` }).from(users)
      for (const short of [false, true]) t.match(await prepared(db, one, { short })({}).catch(messageOf), outside)
      t.match(await db.transaction(async () => 'ran').catch(messageOf), outside)
      await tx.transaction(async () => t.match(await db.$count(users).then(String, messageOf), outside, 'nested'))
    })
    t.equal(await db.$count(users), 0, 'after it the database is there again')
  })

  t.test('work started in a transaction may query once the transaction has ended', async (t) => {
    let later: Promise<number> | undefined
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    await db.transaction(async (tx) => {
      await tx.insert(users).values(person('ada'))
      later = ended.then(() => db.$count(users))
    })
    end()
    t.equal(await later, 1)
  })

  t.test('the handle of a transaction that has ended is refused', async (t) => {
    let handle: Tx | undefined
    await db.transaction(async (tx) => {
      handle = tx
    })
    t.match(
      await handle
        ?.select()
        .from(users)
        .catch((error) => String(error.cause)),
      /transaction that has ended/,
    )
  })

  t.test('500 transactions at once keep what each of them keeps', async (t) => {
    const total = async () => {
      const rows = await db.execute<{ sum: number }>(sql`select sum(value::int)::int as sum from facts`)
      return rows[0]?.sum
    }
    await db.insert(facts).values(Array.from({ length: 10 }, (_, i) => ({ name: `account-${i}`, value: 1000 })))
    const move = (tx: Tx, name: string, amount: number) =>
      tx.execute(sql`update facts set value = to_jsonb(value::int + ${amount}::int) where name = ${name}`)
    const transfer = (i: number) =>
      db.transaction(async (tx) => {
        const [from, to] = [i % 10, (i * 7 + 3) % 10]
        // Always in the same order: on a server two transfers between the same accounts would deadlock.
        for (const [account, amount] of from < to
          ? ([
              [from, -1],
              [to, 1],
            ] as const)
          : ([
              [to, 1],
              [from, -1],
            ] as const)) {
          await move(tx, `account-${account}`, amount)
        }
        if (i % 5 === 1) throw new Error('rolled back')
        if (i % 5 === 2) await tx.execute(sql`select 1 / 0`)
        if (i % 5 === 3) await tx.transaction((nested) => move(nested, `account-${from}`, 0))
      })
    const reads = Array.from({ length: 50 }, () => total())
    const outcomes = await Promise.allSettled(Array.from({ length: 500 }, (_, i) => transfer(i)))
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 300)
    t.equal(await total(), 10_000)
    t.ok(
      (await Promise.all(reads)).every((sum) => sum === 10_000),
      'no reader saw a transfer half done',
    )
  })

  t.test('deleting a user or a group takes its memberships along', async (t) => {
    const [user] = await db.insert(users).values(person('ada')).returning()
    const [group] = await db.insert(groups).values({ groupName: 'g', groupNameKey: 'g', groupType: 'cn' }).returning()
    if (!user || !group) throw new Error('nothing was written')
    await db.insert(groupMembers).values({ userId: user.id, groupId: group.id })
    await db.delete(users)
    t.equal(await db.$count(groupMembers), 0)
  })
}

t.test('on the embedded database', suite(testEmbeddedDatabase))
t.test('on a PostgreSQL server', { skip: postgresMissing }, suite(testServerDatabase))
