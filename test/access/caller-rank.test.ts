import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { permitUser } from '../../src/access/permits/users.ts'
import type { Db } from '../../src/db/client.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'

const idOf = async (db: Db, statement: SQL): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(statement)
  return Number(row?.id)
}

const waiters = async (db: Db): Promise<number> => {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
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
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let changing: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve) => {
    changing = db.transaction(async (tx) => {
      await tx.execute(change)
      resolve()
      await ended
    })
  })
  const outcome = db
    .transaction((asking) => permitUser(asking, { userId: caller }, target))
    .then(
      () => true,
      () => false,
    )
  await eventually(async () => (await waiters(db)) > 0, 'the rank is waited for')
  end()
  await changing
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
