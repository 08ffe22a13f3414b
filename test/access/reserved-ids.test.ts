import t from 'tap'
import { reservedIds } from '../../src/access/rows.ts'
import type { Tx } from '../../src/db/client.ts'
import { groups, users } from '../../src/db/schema.ts'
import { testDatabase } from '../database.ts'

t.test('an id is reserved along with the one before, where records follow each other', async (t) => {
  let [now, asked] = [10_000, 0]
  const tx = { execute: async () => [{ id: String(++asked) }] } as unknown as Tx
  const ids = reservedIds(users, () => now)
  t.equal(ids.take(), null)
  t.equal(await ids.reserve(tx, null), 1)
  t.equal(ids.take(), null, 'one record alone wastes no id')
  now += 999
  t.equal(await ids.reserve(tx, null), 2)
  t.equal(ids.take(), 3)
  t.equal(await ids.reserve(tx, 3), 3, 'the one that was taken')
  t.equal(asked, 4, 'and another is reserved')
  now += 1001
  t.equal(ids.take(), null, 'it would be out of order by now')
  for (let n = 0; n < 100; n++) await ids.reserve(tx, null)
  let kept = 0
  while (ids.take() !== null) kept += 1
  t.equal(kept, 20, 'as many as are kept')
})

t.test('ids come from the sequence of the table', async (t) => {
  const { db } = await testDatabase(t)
  const next = (table: typeof users | typeof groups) => db.transaction((tx) => reservedIds(table).reserve(tx, null))
  const [user, group] = [await next(users), await next(groups)]
  t.same([await next(users), await next(groups)], [user + 1, group + 1])
})
