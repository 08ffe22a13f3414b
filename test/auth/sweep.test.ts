import { sql } from 'drizzle-orm'
import t from 'tap'
import { sweep } from '../../src/auth/sweep.ts'
import { countingDatabase } from '../counting-database.ts'
import { testDatabase } from '../database.ts'

const day = 86_400_000

t.test('old plans are removed in pieces, and no others', async (t) => {
  const database = countingDatabase(await testDatabase(t))
  const { db } = database
  const run = async (state: string, ended: number | null, rows: number): Promise<number> => {
    const finished = ended === null ? null : new Date(Date.now() - ended * day).toISOString()
    const [made] = await db.execute<{ id: string }>(sql`
      insert into runs (source, kind, state, finished_at) values ('exta', 'users', ${state}, ${finished}::timestamptz) returning id`)
    await db.execute(sql`
      insert into run_changes (run_id, seq, action, source_id, name, name_key)
      select ${made?.id}::bigint, n, 'add', n, n, n from generate_series(1, ${rows}::int) n`)
    return Number(made?.id)
  }
  const [old, empty] = [await run('done', 31, 12_000), await run('failed', 40, 0)]
  const kept = [await run('done', 29, 3), await run('held', 31, 3), await run('running', null, 3)]
  const statements = await database.during(() => sweep(db))
  t.equal(statements.filter((one) => /delete from "run_changes"/.test(one)).length, 3)
  const left = await db.execute<{ id: string; rows: string }>(sql`
    select r.id, count(c.seq) as rows from runs r left join run_changes c on c.run_id = r.id group by r.id order by r.id`)
  t.strictSame(
    left.map(({ id, rows }) => [Number(id), Number(rows)]),
    [[old, 0], [empty, 0], ...kept.map((id) => [id, 3])],
  )
})

t.test('a stop does not wait for what is left', async (t) => {
  const { db } = await testDatabase(t)
  await db.execute(sql`
    with made as (insert into runs (source, kind, state, finished_at)
      values ('exta', 'users', 'done', now() - interval '31 days') returning id)
    insert into run_changes (run_id, seq, action, source_id, name, name_key)
    select made.id, n, 'add', n, n, n from made, generate_series(1, 3) n`)
  const reason = new Error('the service stops')
  await t.rejects(sweep(db, undefined, AbortSignal.abort(reason)), reason)
  t.equal((await db.execute(sql`select from run_changes`)).length, 3)
})
