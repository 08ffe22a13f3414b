import { sql } from 'drizzle-orm'
import t from 'tap'
import { anyOfIds } from '../../src/db/id-list.ts'
import { testEmbeddedDatabase } from '../database.ts'

t.test('records by no id, one and several', async (t) => {
  const { db } = await testEmbeddedDatabase(t)
  await db.execute(sql`insert into groups (group_name, group_name_key, group_type)
    select 'g' || n, 'g' || n, 'cn' from generate_series(1, 300) n`)
  await db.execute(sql`analyze groups`)
  const found = (ids: number[]) => sql`select g.id::int from groups g where g.id = ${anyOfIds(ids)} order by g.id`
  const idsOf = async (ids: number[]): Promise<unknown[]> => {
    const rows = await db.execute<{ id: number }>(found(ids))
    return rows.map(({ id }) => id)
  }
  t.same(await idsOf([]), [])
  t.same(await idsOf([7]), [7])
  t.same(await idsOf([1000]), [])
  t.same(await idsOf([7, 7]), [7])
  t.same(await idsOf([9, 7, 1000]), [7, 9])

  const rows = await db.execute<{ 'QUERY PLAN': string }>(sql`explain ${found([7])}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  t.match(plan, /Index (Only )?Scan/, 'one is looked up in the index')
  t.notMatch(plan, /Function Scan/, 'and no array is made for it')
})
