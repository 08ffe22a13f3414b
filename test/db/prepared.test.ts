import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../src/db/client.ts'
import { statementOf } from '../../src/db/json-record.ts'
import { prepared } from '../../src/db/prepared.ts'
import { postgresMissing, silent, testEmbeddedDatabase, testPostgres } from '../database.ts'

// Statements that are sent without the types of their values.

const echo = statementOf(sql`
  select ${sql.placeholder('text')}::text, ${sql.placeholder('number')}::bigint, ${sql.placeholder('flag')}::boolean,
    ${sql.placeholder('json')}::jsonb ->> 'a', ${sql.placeholder('at')}::timestamptz at time zone 'UTC', 'fixed'`)

const values = { text: 'wört \' " \\', number: 3, flag: true, json: '{"a": "b"}', at: '2026-01-31T10:00:00.123Z' }
const row = ['wört \' " \\', '3', true, 'b', '2026-01-31 10:00:00.123', 'fixed']

const suite = (t: Test, { db }: Pick<Database, 'db'>): void => {
  t.test('values arrive as they are, the first time and later', async (t) => {
    const run = prepared(db, echo)
    for (let n = 0; n < 3; n++) t.same(await run(values), [row])
    t.same(await Promise.all(Array.from({ length: 30 }, () => run(values))), Array(30).fill([row]), 'at once')
    const none = { text: null, number: null, flag: null, json: null, at: null }
    t.same(await run(none), [[null, null, null, null, null, 'fixed']])
    t.same(await run({ ...none, flag: false, number: -1.0, text: '' }), [['', '-1', false, null, null, 'fixed']])
  })

  t.test('a value that the driver would have to write in a form of its own is refused', async (t) => {
    const run = prepared(db, echo)
    for (const text of [undefined, new Date(), ['a'], { a: 1 }]) {
      await t.rejects(run({ ...values, text }), { message: /^The value of text is not a text/ }, String(text))
    }
    t.same(await run(values), [row])
  })

  t.test('after an error, and with another number of rows, it goes on', async (t) => {
    const half = prepared(
      db,
      statementOf(
        sql`select 1 / ${sql.placeholder('by')}::int from generate_series(1, ${sql.placeholder('rows')}::int)`,
      ),
    )
    t.same(await half({ by: 1, rows: 2 }), [[1], [1]])
    await t.rejects(half({ by: 0, rows: 1 }), { code: '22012' })
    t.same(await half({ by: 1, rows: 0 }), [])
    t.same(await half({ by: 1, rows: 1 }), [[1]])
  })

  t.test('a connection keeps it once, however often it comes', async (t) => {
    const run = prepared(db, statementOf(sql`select ${sql.placeholder('text')}::text as planned_once`))
    const all = prepared<[count: string]>(
      db,
      statementOf(sql`select count(*) from pg_prepared_statements where statement like ${sql.placeholder('like')}`),
    )
    for (let n = 0; n < 40; n++) await run({ text: `${n}` })
    // Without others at the same time the driver has one connection.
    t.same(await all({ like: '%as planned\\_once' }), [['1']])
  })
}

t.test('on PostgreSQL', { skip: postgresMissing }, async (t) => {
  const database = await openDatabase({ url: (await testPostgres(t)).url, dataDir: '', log: silent })
  t.teardown(database.close)
  suite(t, database)
})

t.test('on the embedded database', async (t) => suite(t, await testEmbeddedDatabase(t)))
