import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { permitUser } from '../../src/access/permits/users.ts'
import type { Db } from '../../src/db/client.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { heldOpen, lockWaiters } from '../held-open.ts'

const idOf = async (db: Db, statement: SQL): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(statement)
  return Number(row?.id)
}

const withPair = async (db: Db, same: boolean) => {
  const role = (name: string, sort: number) =>
    idOf(db, sql`insert into roles (name, keyword, sort) values (${name}, ${name}, ${sort}) returning id`)
  const user = (name: string) =>
    idOf(
      db,
      sql`insert into users (username, username_key, nickname, mail) values (${name}, ${name}, '', '') returning id`,
    )
  const own = await role('own', 5)
  const theirs = same ? own : await role('theirs', 4)
  const [caller, target] = [await user('caller'), await user('target')]
  await db.execute(sql`insert into user_roles (user_id, role_id) values (${caller}, ${own}), (${target}, ${theirs})`)
  return { own, theirs, caller, target }
}

/** Whether the permit is given to a caller who asks for it while another transaction changes ranks. */
const asked = async (db: Db, { caller, target }: { caller: number; target: number }, change: SQL): Promise<boolean> => {
  const changing = await heldOpen(db, (tx) => tx.execute(change))
  const outcome = db
    .transaction((asking) => permitUser(asking, { userId: caller, sessionId: randomUUID() }, target))
    .then(
      () => true,
      () => false,
    )
  await lockWaiters(db, 1)
  await changing.end()
  return outcome
}

t.test('a role that caller and target share gets a lower rank meanwhile', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  const pair = await withPair(db, true)
  t.notOk(await asked(db, pair, sql`update roles set sort = 10 where id = ${pair.own}`), 'they never outranked them')
})

t.test('both roles get a lower rank by one statement', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  const pair = await withPair(db, false)
  t.notOk(await asked(db, pair, sql`update roles set sort = sort + 4`), 'they never outranked them')
})
