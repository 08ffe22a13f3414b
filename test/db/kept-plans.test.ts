import { sql } from 'drizzle-orm'
import t from 'tap'
import { testEmbeddedDatabase } from '../database.ts'
import { person } from '../people/console.ts'
import { steward } from '../steward.ts'

// Here on the embedded database, whose few people and groups give the same statistics each time. PostgreSQL plans a prepared statement anew each time as long as it expects the values of parameters to make a difference.
// For the large statements of the mirror that takes longer than the rest of a write.

t.setTimeout(240_000)

interface Prepared extends Record<string, unknown> {
  statement: string
  kept: number
  anew: number
}

/** So many of the first are planned anew in any case. */
const tries = 5

t.test('no statement of a change of people is planned anew each time', async (t) => {
  const service = await steward(t, { database: await testEmbeddedDatabase(t) })
  const groups: number[] = []
  for (const groupName of ['One', 'Two']) {
    groups.push((await service.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0, remark: '' } })).id)
  }
  const walk = async (from: number, count: number): Promise<void> => {
    for (let n = from; n < from + count; n++) {
      const { id } = await service.take('addUser', { body: person(`p${n}`, { departmentId: [groups[0] ?? 0] }) })
      await service.take('addGroupUsers', { body: { groupId: groups[1] ?? 0, userIds: [id] } })
      await service.take('changeUserStatus', { body: { id, status: 2 } })
    }
  }
  await walk(0, 25)
  await service.db.execute(sql`analyze`)
  await walk(100, 25)
  const all = await service.db.execute<Prepared>(sql`
    select statement, generic_plans::int as kept, custom_plans::int as anew from pg_prepared_statements`)
  const often = all.filter(({ kept, anew }) => kept + anew > 3 * tries)
  t.ok(often.length > 5, `${often.length} statements came often`)
  const claims = all.filter(({ statement }) => /^\s*with first as/.test(statement))
  t.ok(claims.length > 1, `${claims.length} kinds of claims`)
  t.same(
    claims.filter(({ anew }) => anew > 0).map(({ anew }) => anew),
    [],
    'a claim is planned once, also while tables grow',
  )
  // While tables grow, some are planned anew for a while.
  const planned = often.filter(({ kept }) => kept <= tries)
  t.same([...new Set(planned.map(({ statement }) => statement.replaceAll(/\s+/g, ' ').slice(0, 200)))], [])
})
