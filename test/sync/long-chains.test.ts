import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { testDatabase } from '../database.ts'
import { admin, engine } from './engine-service.ts'
import { people, person } from './small-organisation.ts'

// Many people who want one name, or to whom the value of the next one passes: a plan of them takes no longer than another.

const database = await testDatabase(t)

/** Milliseconds; comparing each with each takes many times as long. */
const soon = 20_000

const within = async <T>(t: Test, work: Promise<T>): Promise<T> => {
  const began = performance.now()
  const found = await work
  const took = Math.round(performance.now() - began)
  t.ok(took < soon, `in ${took} ms`)
  return found
}

t.test('ten thousand people of one name get a number each', async (t) => {
  const all = Array.from({ length: 12_000 }, (_, index) => person(`p${String(index).padStart(5, '0')}`))
  const { db, run, source } = await engine(t, { database, organisation: people(...all) })
  await db.execute(sql`
    update field_relations set attributes = '{"username": "\\"staff\\"", "nickname": "id"}' where flag = 'exta_user'`)
  await db.execute(sql`
    insert into users (username, username_key, nickname, source) values ('staff7', 'staff7', 'Seven', '')`)
  t.match(await within(t, run('users')), { state: 'done', added: all.length, failed: 0 })
  const names = async () =>
    (
      await db.execute<{ name: string }>(sql`
      select username as name from users where source = 'exta' order by source_user_id collate "C"`)
    ).map(({ name }) => name)
  const numbers = Array.from({ length: all.length }, (_, index) => index + 1).map(
    (number) => number + Number(number > 6),
  )
  const expected = numbers.map((number) => (number === 1 ? 'staff' : `staff${number}`))
  t.strictSame(await names(), expected)
  source.organisation = people(person('first'), ...all)
  t.match(await run('users'), { added: 1, updated: 0, unchanged: all.length })
  t.equal((await names())[0], `staff${all.length + 2}`)
})

t.test('who gets a name that is taken keeps the number that they have of it', async (t) => {
  const staff = (name: string) => people(person('a', { name }), person('b', { name }), person('c', { name: 'maria' }))
  const { db, run, source } = await engine(t, { database, organisation: staff('x1') })
  await db.execute(sql`update field_relations set attributes = '{"username": "name"}' where flag = 'exta_user'`)
  await run('users')
  await db.execute(sql`
    update users set username = 'maria2', username_key = 'maria2' where source_user_id = 'a'`)
  source.organisation = staff('maria')
  t.match(await run('users'), { state: 'done', failed: 0 })
  t.same(
    await db.execute(sql`
    select username from users where source = 'exta' order by source_user_id`),
    [{ username: 'maria2' }, { username: 'maria3' }, { username: 'maria' }],
  )
})

/** Each gets the number of the next one; the last number is `end`. */
const renumbered = async (t: Test) => {
  const all = Array.from({ length: 8_000 }, (_, index) => index)
  const staff = (by: number) =>
    people(...all.map((index) => person(`p${String(index).padStart(5, '0')}`, { jobNumber: `${index + by}` })))
  const service = await engine(t, { database, organisation: staff(0) })
  await service.run('users')
  service.source.organisation = staff(1)
  const first = async (): Promise<unknown> => {
    const [row] = await service.db.execute<{ number: string }>(
      sql`select job_number as number from users where source_user_id = 'p00000'`,
    )
    return row?.number
  }
  return { ...service, size: all.length, first }
}

t.test('of a renumbering whose last number is taken no one gets a number', async (t) => {
  const { db, run, size, first } = await renumbered(t)
  await db.execute(sql`
    insert into users (username, username_key, nickname, job_number, source) values ('own', 'own', 'Own', ${`${size}`}, '')`)
  t.match(await within(t, run('users')), { state: 'done', updated: 0, failed: 0, unchanged: size })
  t.equal(await first(), '0')
})

t.test('a renumbering waits for the administrator whose number it needs', async (t) => {
  const { db, importer, run, planHash, size, first } = await renumbered(t)
  await db.execute(sql`
    insert into user_roles select u.id, r.id from users u, roles r
    where u.job_number = ${`${size - 1}`} and r.sort = 1`)
  const held = await within(t, run('users'))
  t.match(held, { state: 'held', updated: 0, failed: 0, held: size })
  t.equal(await first(), '0')
  const confirmed = await importer.confirm(held.runId, await planHash(held.runId), admin)
  t.match(confirmed, { state: 'done', updated: size, failed: 0 })
  t.equal(await first(), '1')
})
