import { sql } from 'drizzle-orm'
import t from 'tap'
import { anyOfIds, anyOfIdsAt, idsValue } from '../../src/db/id-list.ts'
import { keptStatement, type Slots } from '../../src/db/kept-statement.ts'
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
