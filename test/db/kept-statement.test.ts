import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import t from 'tap'
import { anyOfIds, anyOfIdsAt, idsValue } from '../../src/db/id-list.ts'
import { keptQueries, keptStatement, type Slots } from '../../src/db/kept-statement.ts'
import { testDatabase } from '../database.ts'

t.test('a kept statement is written once for each shape, and sent with the values of each call', async (t) => {
  const { db } = await testDatabase(t)
  let written = 0
  const statement = keptStatement((at: Slots<{ one: number; other: string }>, isTwice: boolean, word: string) => {
    written += 1
    const times = isTwice ? sql`2 *` : sql``
    return sql`select ${times} ${at.one}::int as number, ${at.other}::text || ${word}::text || ${at.other}::text as words`
  })
  const ask = async (one: number, other: string, isTwice: boolean, word: string) =>
    (await db.execute(statement({ one, other }, isTwice, word)))[0]
  for (const other of ["it's", '$1', ':one', '']) {
    t.same(await ask(3, other, false, ' and '), { number: 3, words: `${other} and ${other}` })
    t.same(await ask(4, other, true, ' and '), { number: 8, words: `${other} and ${other}` })
    t.same(await ask(5, other, false, ' or '), { number: 5, words: `${other} or ${other}` })
  }
  t.equal(written, 3)
  const inTransaction = db.transaction((tx) => tx.execute(statement({ one: 1, other: 'x' }, false, '-')))
  t.match(await inTransaction, [{ number: 1, words: 'x-x' }])
})

t.test('a kept statement finds the ids that any other would', async (t) => {
  const { db } = await testDatabase(t)
  const kept = keptStatement(
    (at: Slots<{ ids: number | string }>, isOne: boolean) =>
      sql`select n from generate_series(1, 9) n where n = ${anyOfIdsAt(at.ids, isOne)} order by n`,
  )
  for (const ids of [[], [4], [7, 2], [1, 9, 100]]) {
    const usual = await db.execute(sql`select n from generate_series(1, 9) n where n = ${anyOfIds(ids)} order by n`)
    t.same(await db.execute(kept({ ids: idsValue(ids) }, ids.length === 1)), usual)
  }
})

t.test('a kept query writes what the query builder would', async (t) => {
  const { db } = await testDatabase(t)
  const table = pgTable('kept', { n: integer(), word: text(), list: jsonb(), at: timestamp({ withTimezone: true }) })
  await db.execute(sql`create table kept (n int, word text, list jsonb, at timestamptz)`)
  const queries = keptQueries()
  const places = {
    n: sql.placeholder('n'),
    word: sql.placeholder('word'),
    list: sql.placeholder('list'),
    at: sql.placeholder('at'),
  }
  let written = 0
  const build = () => {
    written += 1
    return db.insert(table).values(places)
  }
  const rows = [
    { n: 1, word: "it's", list: [1, 'two', { three: null }], at: new Date(1) },
    { n: 0, word: '', list: {}, at: new Date('2026-01-01T00:00:00.123Z') },
    { n: null, word: null, list: null, at: null },
  ]
  for (const row of rows) {
    await db.delete(table)
    await db.insert(table).values(row)
    const usual = await db.execute(sql`select n, word, list, list::text as json, at from kept`)
    await db.delete(table)
    await db.execute(queries('insert', build, row))
    t.same(await db.execute(sql`select n, word, list, list::text as json, at from kept`), usual, JSON.stringify(row))
  }
  t.equal(written, 1)
})
