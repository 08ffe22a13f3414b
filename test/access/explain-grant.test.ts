import t from 'tap'
import { steward } from '../steward.ts'

const s = await steward(t, { directory: 'none' })
const { call, token: admin } = s

const why = async (id: number, operation?: string) => {
  const reply = await call('explainGrant', { params: { id }, query: operation ? { operation } : {}, token: admin })
  if (reply.code !== 200) throw new Error(reply.msg)
  return reply.data.operations
}
const addRole = async (keyword: string, entries: string[], fields: object = {}): Promise<number> => {
  const { data } = await call('addRole', { body: { name: keyword, keyword, ...fields }, token: admin })
  const { apis } = (await call('listApis', { token: admin })).data
  const apiIds = apis.filter(({ path }) => entries.includes(path)).map(({ id }) => id)
  await call('updateRoleApis', { body: { roleId: data.id, apiIds }, token: admin })
  return data.id
}

const readers = await addRole('readers', ['/role/list'])
const dormant = await addRole('dormant', ['/group/list'], { status: 2 })
const ann = await s.person('ann', { roleIds: [readers, dormant] })
const named = (id: number, name: string) => ({ id, name })

t.test('what is granted names the roles that grant it, and is what the caller may do', async (t) => {
  const [grant] = await why(ann.id, 'listRoles')
  t.match(grant, {
    method: 'GET',
    path: '/role/list',
    granted: true,
    missing: null,
    roles: [named(readers, 'readers')],
  })
  t.equal((await call('listRoles', { token: ann.token })).code, 0)
  t.same((await why(ann.id)).map(({ operation }) => operation).sort(), [
    'changeOwnPassword',
    'getMe',
    'getMyGrants',
    'getUserInfo',
    'listRoles',
  ])
  const all = await why(1)
  t.ok(all.length > 80, `${all.length}`)
  t.ok(all.every(({ granted, roles, always }) => granted && (always || roles.some(({ name }) => name === 'admin'))))
})

t.test('what is not granted says what is missing', async (t) => {
  t.match(await why(ann.id, 'listGroups'), [
    { granted: false, missing: 'role_disabled', disabledRoles: [named(dormant, 'dormant')], roles: { length: 0 } },
  ])
  const [none] = await why(ann.id, 'listUsers')
  t.match(none, {
    granted: false,
    missing: 'no_role',
    disabledRoles: { length: 0 },
    grantingRoles: [{ name: 'admin' }],
  })
  t.equal((await call('listUsers', { token: ann.token })).code, 403)
  await call('changeUserStatus', { body: { id: ann.id, status: 2 }, token: admin })
  t.match(await why(ann.id, 'listRoles'), [{ granted: false, missing: 'person_disabled' }])
  t.same(await why(ann.id), [])
  await call('changeUserStatus', { body: { id: ann.id, status: 1 }, token: admin })
})

t.test('an unknown person or operation is named', async (t) => {
  const ask = (id: number, operation: string) =>
    call('explainGrant', { params: { id }, query: { operation }, token: admin })
  t.match(await ask(987_654, 'listRoles'), { code: 404, reason: 'db.user_not_found' })
  t.match(await ask(1, 'launchRockets'), { code: 404, reason: 'access.operation_not_found' })
})

t.test('the people who have a role, or whose roles grant an API entry', async (t) => {
  const usernames = (people: { username: string }[]) => people.map(({ username }) => username)
  const holders = async (id: number, query = {}) =>
    usernames((await call('listRoleHolders', { params: { id }, query, token: admin })).data.people)
  t.same(await holders(readers), ['ann'])
  t.same(await holders(readers, { q: 'bo' }), [])
  const entries = (await call('listApis', { token: admin })).data.apis
  const by = async (path: string) => {
    const id = entries.find((entry) => entry.path === path)?.id ?? 0
    return usernames((await call('listApiHolders', { params: { id }, token: admin })).data.people)
  }
  t.same(await by('/role/list'), ['admin', 'ann'])
  t.same(await by('/group/list'), ['admin'], 'a disabled role grants nothing')
  t.equal((await call('listRoleHolders', { params: { id: 987_654 }, token: admin })).code, 404)
  t.equal((await call('listApiHolders', { params: { id: 987_654 }, token: admin })).code, 404)
})
