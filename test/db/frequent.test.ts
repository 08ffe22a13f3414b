import { sql } from 'drizzle-orm'
import t from 'tap'
import { frequentStatements } from '../../src/db/frequent.ts'
import { testDatabase } from '../database.ts'

t.test('a statement is kept planned from its third time on', async (t) => {
  const isFrequent = frequentStatements()
  t.strictSame(
    [1, 2, 3, 4].map(() => isFrequent('select $1', 1)),
    [false, false, true, true],
  )
  t.notOk(isFrequent('select $2', 1), 'each by its own text')
})

t.test('searches by a pattern and statements with many rows are not', async (t) => {
  const isFrequent = frequentStatements()
  const rows = `insert into t values ${'($1), '.repeat(500)}`
  for (const [text, parameters] of [
    ['select from t where a like $1', 1],
    ['select from t where a ilike $1', 1],
    [rows, 500],
  ] as const) {
    t.strictSame(
      [1, 2, 3, 4].map(() => isFrequent(text, parameters)),
      [false, false, false, false],
    )
  }
})

t.test('their number is bounded, whatever comes', async (t) => {
  const isFrequent = frequentStatements()
  let kept = 0
  for (let index = 0; index < 5000; index++) {
    const text = `select ${index}, $1`
    for (let time = 0; time < 4; time++) if (isFrequent(text, 1) && time === 3) kept++
  }
  t.equal(kept, 600)
  t.ok(isFrequent('select 1, $1', 1))
})

t.test('the connections of a pool plan them, inside transactions and outside', async (t) => {
  const { db } = await testDatabase(t)
  const twice = (n: number) => sql`select ${n}::int * 2 as twice`
  const planned = async (text: RegExp): Promise<boolean> =>
    db.transaction(async (tx) => {
      const rows = await tx.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)
      return rows.some(({ statement }) => text.test(statement))
    })
  for (let n = 1; n <= 40; n++) {
    t.same(await db.execute(twice(n)), [{ twice: 2 * n }])
    await db.transaction(async (tx) =>
      t.same(await tx.execute(sql`select ${n}::int * 3 as thrice`), [{ thrice: 3 * n }]),
    )
  }
  t.ok((await planned(/\* 2 as twice/)) && (await planned(/\* 3 as thrice/)))
})
