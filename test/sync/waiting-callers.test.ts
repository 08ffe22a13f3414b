import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { steward } from '../steward.ts'

// A run begins when that of the same source has ended. It does not begin for a caller who is gone by then.

t.test('a run that waits for another one begins only for a caller who still may start it', async (t) => {
  const s = await steward(t, { directory: 'none' })
  const { db, take } = s
  const { id: roleId } = await take('addRole', { body: { name: 'Comparers', keyword: 'comparers', sort: 9 } })
  const { apis } = await take('listApis', { query: { path: '/v1/operations/comparisons' } })
  const grant = (apiIds: number[]) => take('updateRoleApis', { body: { roleId, apiIds } })
  const all = apis.map(({ id }) => id)
  await grant(all)
  const { token: first, password } = await s.person('cleo', { roleIds: [roleId] })

  /** How a comparison is answered that waits for another one while something happens, and how many have begun. */
  const across = async (token: string, meanwhile: () => Promise<unknown>) => {
    await db.execute(sql`delete from runs`)
    const [other] = await db.execute<{ id: string }>(sql`
      insert into runs (source, kind, state, exclusive, lease_owner, lease_until)
      values ('sql', 'groups', 'running', true, gen_random_uuid(), now() + interval '5 minutes') returning id`)
    const answer = s.call('compareDirectory', { token, body: { kind: 'users' } })
    await delay(1000)
    await meanwhile()
    await db.execute(sql`update runs set state = 'done', finished_at = now() where id = ${other?.id}`)
    const { code, reason } = await answer
    const [begun] = await db.execute<{ runs: number }>(sql`select count(*)::int - 1 as runs from runs`)
    return { code, reason, begun: begun?.runs }
  }

  t.match(await across(first, () => s.call('logout', { token: first })), { code: 401, begun: 0 })
  const token = await s.signIn('cleo', password)
  t.match(await across(token, () => grant([])), { code: 403, reason: 'access.not_granted', begun: 0 })
  await grant(all)
  t.match(await across(token, async () => {}), { begun: 1 })
})
