import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { lockUsers } from '../../src/access/permits/locked-users.ts'
import { noRank } from '../../src/access/seniority.ts'
import type { Db } from '../../src/db/client.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { heldOpen, lockWaiters } from '../held-open.ts'

const roleOf = async (db: Db, sort: number): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(
    sql`insert into roles (name, keyword, sort) values (${`r${sort}`}, ${`r${sort}`}, ${sort}) returning id`,
  )
  return Number(row?.id)
}

const userOf = async (db: Db, name: string, roleIds: readonly number[] = []): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(
    sql`insert into users (username, username_key, nickname, mail) values (${name}, ${name}, '', ${`${name}@Example.ORG`}) returning id`,
  )
  for (const roleId of roleIds)
    await db.execute(sql`insert into user_roles (user_id, role_id) values (${Number(row?.id)}, ${roleId})`)
  return Number(row?.id)
}

/** Whether another transaction has to wait. */
const waits = async (db: Db, statement: SQL): Promise<boolean> => {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '100ms'`)
      await tx.execute(statement)
    })
    return false
  } catch (error) {
    if (`${error} ${(error as Error).cause}`.includes('lock timeout')) return true
    throw error
  }
}

t.test('users are locked with the roles that decide their rank', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  const [senior, junior, other] = [await roleOf(db, 5), await roleOf(db, 50), await roleOf(db, 70)]
  const actor = { userId: await userOf(db, 'actor', [senior]), sessionId: randomUUID() }
  const [ranked, plain] = [await userOf(db, 'ranked', [junior]), await userOf(db, 'plain')]
  const [group] = await db.execute<{ id: string }>(
    sql`insert into groups (group_name, group_name_key, group_type) values ('Crew', 'crew', 'cn') returning id`,
  )
  await db.execute(sql`insert into group_members (group_id, user_id) values (${group?.id}, ${ranked})`)
  const setSort = (id: number): SQL => sql`update roles set sort = sort + 1 where id = ${id}`
  const setName = (id: number): SQL => sql`update users set nickname = 'x' where id = ${id}`
  type Locking = Parameters<typeof lockUsers>[2]
  const lock = (by: Parameters<typeof lockUsers>[1], locking: Locking) =>
    heldOpen(db, (tx) => lockUsers(tx, by, locking))

  const one = await lock(actor, { ids: [ranked], prevents: 'change' })
  t.equal(one.result.rank, 5, 'the rank of the caller')
  t.match(one.result.found, [
    {
      ...{ id: ranked, username: 'ranked', status: 1, rank: 50, mailKey: 'ranked@example.org' },
      ...{ roleIds: [junior], groupIds: [Number(group?.id)] },
    },
  ])
  t.ok(await waits(db, setSort(junior)), 'the rank of their role stays')
  t.ok(await waits(db, setName(ranked)), 'so do they')
  t.notOk(await waits(db, setSort(other)), 'other roles are free')
  await one.end()

  const given = await lock(actor, { ids: [plain], prevents: 'change', roleIds: [other] })
  t.match(given.result.found, [{ id: plain, rank: noRank, roleIds: [], groupIds: [] }])
  t.ok(await waits(db, setSort(other)), 'a role that one without roles will be given stays too')
  await given.end()

  const both = await lock('operator', { ids: [plain, ranked], prevents: 'delete' })
  t.equal(both.result.rank, 1, 'the operator has the highest rank')
  t.same(
    new Map(both.result.found.map(({ id, rank }) => [id, rank])),
    new Map([
      [plain, noRank],
      [ranked, 50],
    ]),
  )
  t.notOk(await waits(db, setName(ranked)), 'members may be changed')
  t.ok(await waits(db, sql`delete from users where id = ${ranked}`), 'but not deleted')
  await both.end()

  const none = await lock(actor, { ids: [0], prevents: 'change' })
  t.same(none.result, { found: [], rank: noRank })
  await none.end()
})

t.test('what was changed while a lock was waited for is seen', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  const senior = await roleOf(db, 5)
  const id = await userOf(db, 'someone')
  const changing = await heldOpen(db, async (tx) => {
    await tx.execute(sql`update users set mail = 'New@example.org' where id = ${id}`)
    await tx.execute(sql`insert into user_roles (user_id, role_id) values (${id}, ${senior})`)
  })
  const waiting = db.transaction((tx) => lockUsers(tx, 'operator', { ids: [id], prevents: 'change' }))
  await lockWaiters(db, 1)
  await changing.end()
  const { found } = await waiting
  t.match(found, [{ id, rank: 5, roleIds: [senior], mailKey: 'new@example.org' }])
})
