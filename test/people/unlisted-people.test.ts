import { sql } from 'drizzle-orm'
import t from 'tap'
import { openConsole, person } from './console.ts'

// No entry of a group lists a disabled person: their changes leave these entries alone.

const { addGroup, addUser, post, take, db, values, groupDn, userDn } = await openConsole(t)

const versions = async (...groups: readonly number[]): Promise<number[]> => {
  const rows = await db.execute<{ id: string; version: string }>(sql`
    select record_id as id, version from directory_entries where directory = 1 and kind = 'group'`)
  const known = new Map(rows.map(({ id, version }) => [Number(id), Number(version)]))
  return groups.map((id) => known.get(id) ?? 0)
}

const disable = (id: number) => take('changeUserStatus', { body: { id, status: 2 } })

t.test('who is disabled is deleted without a look at the lists of their groups', async (t) => {
  const group = await addGroup('Left alone')
  const [one, two, three] = [
    await addUser('off-1', { departmentId: [group] }),
    await addUser('off-2', { departmentId: [group] }),
    await addUser('on-3', { departmentId: [group] }),
  ]
  for (const id of [one, two]) await disable(id)
  const [before = 0] = await versions(group)
  t.equal((await post('deleteUsers', { userIds: [one] })).code, 0)
  await take('changePeople', { body: { action: 'delete', ids: [two] } })
  t.same(await versions(group), [before])
  t.same(await values(userDn('off-1', 'disabled'), 'uid'), null)
  t.same(await values(groupDn('Left alone'), 'member'), [userDn('on-3')])
  await take('deleteUsers', { body: { userIds: [three] } })
  t.same(await versions(group), [before + 1])
  t.same(await values(groupDn('Left alone'), 'member'), [groupDn('nobody')])
})

t.test('enabled and disabled people are deleted together', async (t) => {
  const [one, two] = [await addGroup('Of the enabled'), await addGroup('Of the disabled')]
  const ids = [await addUser('on-4', { departmentId: [one] }), await addUser('off-5', { departmentId: [two] })]
  await disable(ids[1] ?? 0)
  const [first = 0, second = 0] = await versions(one, two)
  await take('deleteUsers', { body: { userIds: ids } })
  t.same(await versions(one, two), [first + 1, second])
  t.same(await values(groupDn('Of the enabled'), 'member'), [groupDn('nobody')])
})

t.test('who changes groups while disabled is in the new ones when enabled', async (t) => {
  const [one, two] = [await addGroup('Before'), await addGroup('After')]
  const id = await addUser('moving', { departmentId: [one] })
  await disable(id)
  const before = await versions(one, two)
  const fields = person('moving', { departmentId: [two] })
  await take('updateUser', { body: { ...fields, id } })
  t.same(await versions(one, two), before)
  await take('changeUserStatus', { body: { id, status: 1 } })
  t.same(await values(groupDn('Before'), 'member'), [groupDn('nobody')])
  t.same(await values(groupDn('After'), 'member'), [userDn('moving')])
})
