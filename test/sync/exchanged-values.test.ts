import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { testDatabase } from '../database.ts'
import { admin, engine, relation } from './engine-service.ts'
import { crowd, people } from './small-organisation.ts'

// People who exchange what only one person may have, while something is wrong with one of them.

const database = await testDatabase(t)
const size = 40
/** At the other end of the list: changes are not made in pairs by chance. */
const partner = (index: number): number => size - 1 - index

const organisation = (numberOf: (index: number) => number, ...more: { id: string; jobNumber: string }[]) => {
  const [one, ...others] = crowd(size).map((each, index) => ({ ...each, jobNumber: `n${numberOf(index)}` }))
  if (one === undefined) throw new Error('No one is there')
  return people(one, ...others, ...more.map((each) => ({ ...one, ...each })))
}

/** Each has their job number as their username or as such, under which two exchange it. */
const open = async (t: Test, field: 'username' | 'jobNumber') => {
  const left = { id: 'left', jobNumber: 'left' }
  const s = await engine(t, { database, organisation: organisation((index) => index, left) })
  const attributes =
    field === 'username' ? { ...relation.users, username: 'jobNumber', jobNumber: '""' } : relation.users
  await s.db.execute(
    sql`update field_relations set attributes = ${JSON.stringify(attributes)}::jsonb where flag = 'exta_user'`,
  )
  await s.run('users')
  return {
    ...s,
    /** A plan in which all exchange theirs, and that is held. */
    exchange: async () => {
      s.source.organisation = organisation(partner)
      s.source.gaps = ['some']
      return s.run('users')
    },
    numbers: async (): Promise<Record<string, string>> => {
      const rows = await s.db.execute<{ id: string; number: string }>(sql`
        select source_user_id as id, case ${field}::text when 'username' then username else job_number end as number
        from users where source = 'exta' and source_user_id <> 'left'`)
      return Object.fromEntries(rows.map(({ id, number }) => [id, number]))
    },
  }
}

/** What they have after all exchanged theirs but those at these places. */
const exchanged = (...but: number[]): Record<string, string> =>
  Object.fromEntries(
    crowd(size).map(({ id }, index) => [id, `n${but.includes(index) ? index : partner(index)}`] as const),
  )

for (const field of ['username', 'jobNumber'] as const)
  t.test(`a person who is changed meanwhile holds up the one with whom they exchange the ${field} only`, async (t) => {
    const s = await open(t, field)
    const held = await s.exchange()
    t.match(held, { state: 'held', held: size + 1 })
    await s.db.execute(sql`
      update directory_entries set version = version + 1
      where record_id in (select id from users where source_user_id in ('p8', 'p20'))`)
    const report = await s.importer.confirm(held.runId, await s.planHash(held.runId), admin)
    t.match(report, { state: 'done', updated: size - 4, disabled: 1, failed: 4 })
    t.same(await s.numbers(), exchanged(...[7, 19].flatMap((index) => [index, partner(index)])))
    s.source.gaps = []
    t.match(await s.run('users'), { state: 'done', updated: 4, failed: 0 }, 'the next run makes the rest')
    t.same(await s.numbers(), exchanged())
  })

t.test('of a chain in which one is changed meanwhile no value has two owners', async (t) => {
  const s = await open(t, 'jobNumber')
  s.source.organisation = organisation((index) => index + 1)
  s.source.gaps = ['some']
  const held = await s.run('users')
  await s.db.execute(sql`
    update directory_entries set version = version + 1 where record_id = (select id from users where source_user_id = 'p8')`)
  const report = await s.importer.confirm(held.runId, await s.planHash(held.runId), admin)
  const numbers = Object.values(await s.numbers())
  t.equal(new Set(numbers).size, size)
  t.notOk(numbers.includes(''))
  t.equal(report.updated + report.failed, size)
  s.source.gaps = []
  t.match(await s.run('users'), { state: 'done', failed: 0 })
  t.same(await s.numbers(), Object.fromEntries(crowd(size).map(({ id }, index) => [id, `n${index + 1}`])))
})
