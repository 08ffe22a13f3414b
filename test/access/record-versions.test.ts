import t from 'tap'
import type { Operations } from '../../src/generated/documents.ts'
import { steward } from '../steward.ts'

const s = await steward(t, { directory: 'none' })
const { call, token } = s
type Id = keyof Operations

const post = (id: Id, body: object) => call(id, { body, token })
const conflict = { code: 409, reason: 'db.changed_meanwhile', data: [{ field: 'version' }] }

const roleVersion = async (id: number): Promise<string> =>
  (await call('listRoles', { token })).data.roles.find((role) => role.id === id)?.version ?? ''
const personVersion = async (id: number): Promise<string> =>
  (await call('getPerson', { params: { id }, token })).data.version
const groupVersion = async (id: number): Promise<string> =>
  (await call('listDepartments', { token })).data.departments.find((group) => group.id === id)?.version ?? ''

t.test('a role is not changed over what another administrator changed meanwhile', async (t) => {
  const { data } = await call('addRole', { body: { name: 'desk', keyword: 'desk' }, token })
  const role = { id: data.id, name: 'desk', keyword: 'desk' }
  const edits: [Id, object][] = [
    ['updateRole', { ...role, remark: 'mine' }],
    ['updateRoleApis', { roleId: role.id, apiIds: [1, 2] }],
    ['updateRoleMenus', { roleId: role.id, menuIds: [1] }],
  ]
  for (const [theirs, change] of edits) {
    const version = await roleVersion(role.id)
    t.equal((await post(theirs, change)).code, 0)
    t.not(await roleVersion(role.id), version, `${theirs} makes another version`)
    for (const [mine, body] of edits)
      t.match(await post(mine, { ...body, version }), conflict, `${mine} after ${theirs}`)
  }
  for (const [mine, body] of edits) {
    t.equal((await post(mine, { ...body, version: await roleVersion(role.id) })).code, 0, `${mine} with what it is now`)
    t.equal((await post(mine, body)).code, 0, `${mine} without a version`)
  }
})

t.test('a person is not changed over what another administrator changed meanwhile', async (t) => {
  const { id } = await s.person('ann')
  const { data: group } = await call('addGroup', { body: { groupName: 'G', groupType: 'cn', parentId: 0 }, token })
  const edits: [Id, object][] = [
    ['updateUser', { id, departmentId: [], roleIds: [2] }],
    ['addGroupUsers', { groupId: group.id, userIds: [id] }],
    ['removeGroupUsers', { groupId: group.id, userIds: [id] }],
    ['changeUserStatus', { id, status: 2 }],
  ]
  const mine = { id, nickname: 'Mine', departmentId: [], roleIds: [] }
  for (const [theirs, change] of edits) {
    const version = await personVersion(id)
    t.equal((await post(theirs, change)).code, 0)
    t.match(await post('updateUser', { ...mine, version }), conflict, `after ${theirs}`)
  }
  t.equal((await call('getPerson', { params: { id }, token })).data.name, 'ann', 'what was refused changed nothing')
  t.equal((await post('updateUser', { ...mine, version: await personVersion(id) })).code, 0)
})

t.test('a group is not changed over what another administrator changed meanwhile', async (t) => {
  const { data } = await call('addGroup', { body: { groupName: 'Rowers', groupType: 'cn', parentId: 0 }, token })
  const version = await groupVersion(data.id)
  t.equal((await post('updateGroup', { id: data.id, groupName: 'Rowers', remark: 'theirs' })).code, 0)
  t.match(await post('updateGroup', { id: data.id, groupName: 'Mine', version }), conflict)
  const now = await groupVersion(data.id)
  t.equal((await post('updateGroup', { id: data.id, groupName: 'Mine', version: now })).code, 0)
})

t.test('a menu and an API entry are not changed over what another administrator changed meanwhile', async (t) => {
  const menu = { name: 'Boats', title: 'Boats', path: '/boats', component: 'Layout' }
  const { id: menuId } = (await call('addMenu', { body: menu, token })).data
  const menuVersion = async () =>
    (await call('getMenuTree', { token })).data.find(({ id }) => id === menuId)?.version ?? ''
  const entry = { category: 'boats', method: 'GET', path: '/boats' }
  const { id: entryId } = (await call('addApi', { body: entry, token })).data
  const entryVersion = async () =>
    (await call('listApis', { token })).data.apis.find(({ id }) => id === entryId)?.version ?? ''
  const kinds: [Id, object, () => Promise<string>][] = [
    ['updateMenu', { id: menuId, ...menu, parentId: 0 }, menuVersion],
    ['updateMenu', { id: menuId, ...menu }, menuVersion],
    ['updateApi', { id: entryId, ...entry }, entryVersion],
  ]
  for (const [operation, body, versionNow] of kinds) {
    const version = await versionNow()
    t.equal((await post(operation, body)).code, 0, `${operation} without a version`)
    t.not(await versionNow(), version)
    t.match(await post(operation, { ...body, version }), conflict)
    t.equal((await post(operation, { ...body, version: await versionNow() })).code, 0)
  }
  t.match(await post('updateMenu', { ...menu, id: 987_654, version: await menuVersion() }), { code: 404 })
})
