import { sql } from 'drizzle-orm'
import t from 'tap'
import { rolesBeyond } from '../../src/access/permits/users.ts'
import { users } from '../../src/db/schema.ts'
import { steward } from '../steward.ts'

const s = await steward(t, { directory: 'none' })

interface PlanNode {
  'Relation Name'?: string
  'Actual Loops': number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

t.test('which roles attributes give beyond those of the caller is read once for all users', async (t) => {
  await s.db.execute(sql`
    insert into roles (name, keyword, sort) select 'role ' || i, 'role' || i, 9 from generate_series(1, 20) i`)
  await s.db.execute(sql`
    insert into users (username, username_key, nickname) select 'user' || i, 'user' || i, 'User' from generate_series(1, 40) i`)
  await s.db.execute(sql`
    insert into user_roles (user_id, role_id)
    select users.id, roles.id from users join roles on keyword in ('role1', 'role' || right(username, 1)) where username like 'user%'`)
  await s.db.execute(sql`
    insert into declared_attributes (kind, name, label_en, label_zh, type, see_roles, edit_roles, removed_at)
    select 'user', 'field' || i, 'Field', 'Field', 'text', (select jsonb_agg(id) from roles where keyword in ('role2', 'role3')),
      (select jsonb_agg(id) from roles where keyword = 'role' || i), case when i > 4 then now() end
    from generate_series(1, 6) i`)
  const caller = async (username: string) => {
    const [row] = await s.db.execute<{ id: string }>(sql`select id from users where username = ${username}`)
    return { userId: Number(row?.id) } as Parameters<typeof rolesBeyond>[0]
  }
  const holders = async (username: string) =>
    sql`select username from ${users} where username like 'user%' and exists (${rolesBeyond(await caller(username), sql`${users.id}`)})`
  const beyond = async (username: string) => {
    const rows = await s.db.execute<{ name: string }>(sql`
      select distinct 'role' || right(username, 1) as name from (${await holders(username)}) as held order by 1`)
    return rows.map(({ name }) => name)
  }
  t.same(await beyond('user1'), ['role2', 'role3', 'role4'], 'not what only a removed one names')
  t.same(await beyond('user2'), ['role3', 'role4'], 'who sees as much may give it, who edits less may not')
  const [row] = await s.db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    sql`explain (analyze, format json) ${await holders('user2')}`,
  )
  const plan = row?.['QUERY PLAN'][0].Plan
  const reads =
    plan === undefined ? [] : nodesOf(plan).filter((node) => node['Relation Name'] === 'declared_attributes')
  t.same(
    reads.map((node) => node['Actual Loops']),
    [1],
  )
})
