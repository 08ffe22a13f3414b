import t from 'tap'
import { openConsole, unknownId } from './console.ts'

const s = await openConsole(t)
const { addUser, addGroup, call, token: admin } = s

const change = async (body: object, token = admin) => {
  const { code, msg, data } = await call('changePeople', { body, token })
  if (code !== 200) throw new Error(`${code} ${msg}`)
  return data
}
type Changed = Awaited<ReturnType<typeof change>>
const resultsOf = ({ people }: Changed) =>
  Object.fromEntries(people.map(({ id, result, reason }) => [id, reason ?? result]))

t.test('each person is changed or refused by themselves, in the directory too', async (t) => {
  const group = await addGroup('Rowers')
  const [ann, bo] = [await addUser('ann', { departmentId: [group] }), await addUser('bo')]
  const boss = await s.person('boss', { roleIds: [await s.roleId('admin')] })
  const { data: role } = await s.post('addRole', { name: 'desk', keyword: 'desk', sort: 2 })
  const entries = (await s.get('listApis')).data.apis.map(({ id }) => id)
  await s.post('updateRoleApis', { roleId: role.id, apiIds: entries })
  const desk = await s.person('desk', { roleIds: [role.id] })
  await call('changeUserStatus', { body: { id: bo, status: 2 }, token: admin })

  const ids = [ann, bo, boss.id, desk.id, unknownId, ann]
  const expected = {
    [ann]: 'changed',
    [bo]: 'unchanged',
    [boss.id]: 'access.user_too_strong',
    [desk.id]: 'access.user_too_strong',
    [unknownId]: 'db.user_not_found',
  }
  const tried = await change({ action: 'disable', ids, dryRun: true }, desk.token)
  t.same(resultsOf(tried), expected)
  t.match(tried, { dryRun: true, effect: { changed: 1, unchanged: 1, refused: 3 } })
  t.ok(await s.values(s.userDn('ann'), 'uid'), 'a dry run changes nothing')
  t.equal((await s.showUser('ann'))?.status, 1)

  t.same(resultsOf(await change({ action: 'disable', ids }, desk.token)), expected)
  t.equal((await s.showUser('ann'))?.status, 2)
  t.equal(await s.values(s.userDn('ann'), 'uid'), null)
  t.ok(await s.values(s.userDn('ann', 'disabled'), 'uid'), 'the entry is parked')
  t.notOk((await s.values(s.groupDn('Rowers'), 'member'))?.some((dn) => dn.includes('uid=ann')))
  t.equal((await call('getUserInfo', { token: boss.token })).code, 0)
  t.same(resultsOf(await change({ action: 'delete', ids: [boss.id] })), { [boss.id]: 'changed' })
})

t.test('what is refused for the caller themselves', async (t) => {
  t.same(resultsOf(await change({ action: 'disable', ids: [1] })), { 1: 'people.cannot_disable_self' })
  t.same(resultsOf(await change({ action: 'delete', ids: [1] })), { 1: 'people.cannot_delete_self' })
  const alone = await call('changePeople', {
    body: { action: 'removeRoles', ids: [1], roleIds: [await s.roleId('admin')] },
    token: admin,
  })
  t.match(alone, { code: 403, reason: 'access.last_administrator' })
  t.equal((await call('listUsers', { token: admin })).code, 0)
})

t.test('disabling ends sessions and says how many; enabling brings people back', async (t) => {
  const [cy, dee] = [await s.person('cy'), await s.person('dee')]
  await s.signIn('cy', cy.password)
  const disabled = await change({ action: 'disable', ids: [cy.id, dee.id] })
  t.equal(disabled.effect.sessionsEnded, 3)
  t.equal((await call('getUserInfo', { token: cy.token })).code, 401)
  t.match(await change({ action: 'enable', ids: [cy.id, dee.id] }), { effect: { changed: 2, sessionsEnded: 0 } })
  t.ok(await s.values(s.userDn('cy'), 'uid'))
  t.ok(await s.signIn('cy', cy.password))
})

t.test('people move from one department to another, and join and leave groups', async (t) => {
  const [from, to, other] = [await addGroup('From'), await addGroup('To'), await addGroup('Other')]
  const eve = await addUser('eve', { departmentId: [from, other] })
  const fay = await addUser('fay', { departmentId: [other] })
  const moved = await change({ action: 'move', from, to, ids: [eve, fay] })
  t.same(resultsOf(moved), { [eve]: 'changed', [fay]: 'unchanged' })
  t.match(moved.effect, { membershipsEnded: 1, membershipsAdded: 1 })
  t.same((await s.showUser('eve'))?.departmentId, [to, other])
  t.match(await s.values(s.groupDn('To'), 'member'), [s.userDn('eve')])

  const joined = await change({ action: 'addGroups', groupIds: [from, to], ids: [eve, fay] })
  t.match(joined.effect, { changed: 2, membershipsAdded: 3 })
  const left = await change({ action: 'removeGroups', groupIds: [from, to, other], ids: [fay] })
  t.match(left.effect, { changed: 1, membershipsEnded: 3 })
  t.same((await s.showUser('fay'))?.departmentId, [])
  const unknown = await call('changePeople', {
    body: { action: 'addGroups', groupIds: [unknownId], ids: [fay] },
    token: admin,
  })
  t.match(unknown, { code: 404, data: [{ field: 'groupIds.0' }] })
})

t.test('roles are given and taken, and rights follow at once', async (t) => {
  const gus = await s.person('gus')
  const [user] = [await s.roleId('user')]
  t.equal((await call('listOwnSessions', { token: gus.token })).code, 403)
  t.match(await change({ action: 'addRoles', roleIds: [user], ids: [gus.id] }), { effect: { changed: 1 } })
  t.equal((await call('listOwnSessions', { token: gus.token })).code, 200)
  t.match(await change({ action: 'addRoles', roleIds: [user], ids: [gus.id] }), { effect: { unchanged: 1 } })
  t.match(await change({ action: 'removeRoles', roleIds: [user], ids: [gus.id] }), { effect: { changed: 1 } })
  t.equal((await call('listOwnSessions', { token: gus.token })).code, 403)
})

t.test('people are deleted with what belonged to them', async (t) => {
  const group = await addGroup('Leavers')
  const ids = [await addUser('hal', { departmentId: [group] }), await addUser('ida', { departmentId: [group] })]
  t.match(await change({ action: 'delete', ids, dryRun: true }), { effect: { changed: 2, membershipsEnded: 2 } })
  t.ok(await s.showUser('hal'))
  t.match(await change({ action: 'delete', ids }), { effect: { changed: 2, membershipsEnded: 2 } })
  t.equal(await s.showUser('hal'), undefined)
  t.equal(await s.values(s.userDn('ida'), 'uid'), null)
  t.same(
    resultsOf(await change({ action: 'sync', ids })),
    Object.fromEntries(ids.map((id) => [id, 'db.user_not_found'])),
  )
})

t.test('what an action needs is asked for by name', async (t) => {
  const needs = {
    move: 'from',
    addRoles: 'roleIds',
    removeRoles: 'roleIds',
    addGroups: 'groupIds',
    removeGroups: 'groupIds',
  }
  for (const [action, field] of Object.entries(needs)) {
    const reply = await call('changePeople', { body: { action, ids: [1] }, token: admin })
    t.match(reply, { code: 400, reason: 'people.needed_for_action', data: [{ field, params: { action } }] }, action)
  }
})

t.test('a record that the directory refused is tried again', async (t) => {
  await s.directory.write({
    kind: 'add',
    dn: s.userDn('jan'),
    attributes: { objectClass: ['inetOrgPerson'], uid: ['jan'], cn: ['Another'], sn: ['Another'] },
  })
  const jan = await addUser('jan')
  const before = await call('getPerson', { params: { id: jan }, token: admin })
  t.match(before.data.entry, { state: 'refused', cure: 'adopt_orphan', error: /is not Steward's/ })
  const still = await call('retryPerson', { params: { id: jan }, token: admin })
  t.match(still.data, { state: 'refused', cure: 'adopt_orphan' })
  const [refused] = (await change({ action: 'sync', ids: [jan] })).people
  t.match(refused, { result: 'refused', message: /is not Steward's/ })
  await s.directory.write({ kind: 'delete', dn: s.userDn('jan') })
  const after = await call('retryPerson', { params: { id: jan }, token: admin })
  t.match(after.data, { state: 'synced', cure: null, error: null, dn: s.userDn('jan') })
})
