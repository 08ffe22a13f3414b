import { type SQL, sql } from 'drizzle-orm'
import t from 'tap'
import { permitAdmitted } from '../../src/access/permits/users.ts'
import type { Db } from '../../src/db/client.ts'
import { bulkActions } from '../../src/people/bulk-actions.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'

const idOf = async (db: Db, statement: SQL): Promise<number> => {
  const [row] = await db.execute<{ id: string }>(statement)
  return Number(row?.id)
}

t.test('a person who leaves the group of a move meanwhile is not moved', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  const user = await idOf(
    db,
    sql`insert into users (username, username_key, nickname, mail) values ('kim', 'kim', '', '') returning id`,
  )
  const group = (name: string) =>
    idOf(
      db,
      sql`insert into groups (group_name, group_name_key, group_type) values (${name}, ${name}, 'cn') returning id`,
    )
  const [from, to] = [await group('from'), await group('to')]
  await db.execute(sql`insert into group_members (group_id, user_id) values (${from}, ${user})`)
  const other = beside(db)
  await db.transaction(async (tx) => {
    const { permit, refused } = await permitAdmitted(tx, 'operator', [user])
    await other(sql`delete from group_members where group_id = ${from} and user_id = ${user}`)
    const nothing = { roleIds: [], groupIds: [], user: { userId: user, username: 'kim' }, dryRun: false }
    await bulkActions.move(permit, { ...nothing, action: 'move', from, to, refused } as never)
  })
  const left = await db.execute(sql`select from group_members where user_id = ${user}`)
  t.equal(left.length, 0, 'they are in none of the two groups')
})

/** Carries out one statement in a transaction of its own, also while one of the caller is open. */
const beside = (db: Db): ((statement: SQL) => Promise<unknown>) => {
  let ask: (statement: SQL) => void = () => {}
  const asked = new Promise<SQL>((resolve) => {
    ask = resolve
  })
  const done = asked.then((statement) => db.execute(statement))
  return (statement) => {
    ask(statement)
    return done
  }
}
