import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { inOrder, lastInOrder } from '../../src/db/in-order.ts'
import { groupMembers } from '../../src/db/schema.ts'
import { type Touched, touch, touchLists } from '../../src/mirror/touch.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { idOf, type Stage, stage } from './stage.ts'

// A request names the person early, and then it turns out how many groups they join.

const joining = async (t: Test, count: number, started: boolean) => {
  const s = await stage(t, { started })
  const ids = (
    await s.db.execute<{ id: string }>(sql`
      insert into groups (group_name, group_name_key, group_type) select 'g' || i, 'g' || i, 'cn' from generate_series(1, ${count}) i
      returning id`)
  ).map(({ id }) => Number(id))
  await s.db.transaction((tx) => touch(tx, 'group', ids))
  const people = await s.addUsers('kim')
  if (started) await s.quiet()
  const earlyClaim = s.reconciler.earlyClaim()
  const touched = await s.db.transaction(async (tx): Promise<Touched[]> => {
    await tx.insert(groupMembers).values(ids.map((groupId) => ({ groupId, userId: idOf(people) })))
    const [itself] = await inOrder(
      () => touch(tx, 'user', [idOf(people)]),
      () => earlyClaim.begin(tx, { user: [idOf(people)], group: [] }),
    )
    const lists = await touchLists(tx, ids, { joined: [idOf(people)] })
    await lastInOrder(tx, await earlyClaim.complete(tx, [...itself, ...lists]))
    return [...itself, ...lists]
  })
  return { s, earlyClaim, touched }
}

const leases = async ({ db }: Stage): Promise<number> => {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from directory_entries where lease_owner is not null`,
  )
  return row?.count ?? -1
}

t.test('with a directory', { skip: skipWithoutSlapd }, async (t) => {
  t.test('a transaction of a request claims a bounded number of groups', async (t) => {
    const { s, earlyClaim } = await joining(t, 120, false)
    t.ok((await leases(s)) <= 51)
    await earlyClaim.take()?.giveBack()
  })

  t.test('what is more than a request writes does not wait for its lease to end', async (t) => {
    const { s, earlyClaim, touched } = await joining(t, 220, true)
    const began = performance.now()
    await s.reconciler.settle(touched, undefined, earlyClaim)
    await s.quiet()
    t.ok(performance.now() - began < 8000, `${performance.now() - began} ms`)
  })
})
