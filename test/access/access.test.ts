import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { CallInput, Reply } from '../contract/call.ts'
import { postgresMissing, testDatabase, testServerDatabase } from '../database.ts'
import { refused, unknownId } from '../people/console.ts'
import { steward, type TestStewardOptions } from '../steward.ts'

const done = <D>({ code, msg, data }: Reply<D>): D => {
  if (code !== 0) throw new Error(`${code} ${msg}`)
  return data
}

/** A console on a fresh service, for the administrator and for people with roles of their own. */
const openConsole = async (t: Test, options: TestStewardOptions = {}) => {
  const service = await steward(t, { directory: 'none', ...options })
  const { call, token: admin } = service
  const post = (id: Parameters<typeof call>[0], body: unknown, token = admin) => call(id, { body, token })
  const get = <I extends Parameters<typeof call>[0]>(id: I, query: CallInput['query'] = {}, token = admin) =>
    call(id, { query, token })

  const entryId = async (operation: string): Promise<number> => {
    const [method, path] = operation.split(' ')
    const { apis } = (await get('listApis', { method: method ?? '', path: path ?? '' })).data
    const entry = apis.find((each) => each.method === method && each.path === path)
    if (entry === undefined) throw new Error(`There is no entry for ${operation}`)
    return entry.id
  }
  const addRole = async (keyword: string, fields: object = {}, token = admin): Promise<number> =>
    done(await call('addRole', { body: { name: `The ${keyword}`, keyword, ...fields }, token })).id
  const grant = async (roleId: number, operations: readonly string[]): Promise<void> => {
    done(await post('updateRoleApis', { roleId, apiIds: await Promise.all(operations.map(entryId)) }))
  }
  const addMenu = async (name: string, fields: object = {}): Promise<number> =>
    done(await call('addMenu', { body: { name, title: name, path: name, component: 'Page', ...fields }, token: admin }))
      .id

  return {
    ...service,
    admin,
    post,
    get,
    entryId,
    addRole,
    grant,
    addMenu,
    showRole: async (id: number) => (await get('listRoles')).data.roles.find((role) => role.id === id),
    showEntry: async (id: number) => (await get('listApis')).data.apis.find((entry) => entry.id === id),
    showMenu: async (id: number) => flat((await get('getMenuTree')).data).find((menu) => menu.id === id),
    roleId: async (keyword: string): Promise<number> =>
      (await get('listRoles', { keyword })).data.roles.find((role) => role.keyword === keyword)?.id ?? 0,
    granted: async (roleId: number) => (await get('getRoleApis', { roleId })).data.map(({ id }) => id),
    /** A user with one role of the same name, which has this sort and grants these operations. */
    actor: async (username: string, sort: number, operations: readonly string[]) => {
      const roleId = await addRole(username, { sort })
      await grant(roleId, operations)
      return { roleId, ...(await service.person(username, { roleIds: [roleId] })) }
    },
  }
}

interface Branch {
  children: Branch[]
}

const flat = <N extends Branch>(nodes: readonly N[]): N[] =>
  nodes.flatMap((node) => [node, ...flat(node.children as N[])])

/** A tree by name: `a(b,c(d)),e`. */
const outline = (nodes: readonly (Branch & { name: string })[]): string =>
  nodes
    .map(({ name, children }) =>
      children.length === 0 ? name : `${name}(${outline(children as (Branch & { name: string })[])})`,
    )
    .join(',')

const roleOperations = [
  'POST /role/add',
  'POST /role/update',
  'POST /role/delete',
  'POST /role/updateapis',
  'POST /role/updatemenus',
]

const s = await openConsole(t)
const { call, post, get, addRole, addMenu, showRole, showMenu, showEntry, granted, entryId } = s

t.test('a new role has the defaults and says who made it', async (t) => {
  const id = await addRole('plain')
  t.match(await showRole(id), {
    name: 'The plain',
    keyword: 'plain',
    remark: '',
    sort: 999,
    status: 1,
    creator: 'admin',
  })
  t.same(await granted(id), [])
  t.same((await get('getRoleMenus', { roleId: id })).data, [])
})

t.test('an update changes what it names, "" clears, and the rest stays', async (t) => {
  const id = await addRole('partial', { remark: 'kept', sort: 20, status: 2 })
  const before = await showRole(id)
  t.equal((await post('updateRole', { id, name: 'Renamed', keyword: 'partial' })).code, 0)
  const renamed = await showRole(id)
  t.match(renamed, { name: 'Renamed', remark: 'kept', sort: 20, status: 2, creator: 'admin' })
  t.equal(renamed?.createdAt, before?.createdAt)
  t.ok((renamed?.updatedAt ?? '') > (before?.updatedAt ?? ''), 'updatedAt moved')
  t.equal((await post('updateRole', { id, name: 'Renamed', keyword: 'partial', remark: '', sort: 30 })).code, 0)
  t.match(await showRole(id), { remark: '', sort: 30, status: 2 })
  refused(t, await post('updateRole', { id: unknownId, name: 'x', keyword: 'x' }), 404, 'id')
})

t.test('name and keyword of a role are unique, also on update', async (t) => {
  const id = await addRole('unique')
  const other = await addRole('unique 2')
  refused(t, await post('addRole', { name: 'The unique', keyword: 'x' }), 409, 'name')
  refused(t, await post('addRole', { name: 'x', keyword: 'unique' }), 409, 'keyword')
  refused(t, await post('updateRole', { id: other, name: 'The unique', keyword: 'unique 2' }), 409, 'name')
  refused(t, await post('updateRole', { id: other, name: 'The unique 2', keyword: 'unique' }), 409, 'keyword')
  t.match(await showRole(other), { name: 'The unique 2', keyword: 'unique 2' })
  t.equal(
    (await post('updateRole', { id, name: 'The unique', keyword: 'unique' })).code,
    0,
    'its own name and keyword are not a conflict',
  )
})

t.test('roles are listed by page and by filter, newest first', async (t) => {
  const ids = [await addRole('list_a%'), await addRole('list_b\\', { status: 2 }), await addRole('list-c')]
  const [a = 0, b = 0, c = 0] = ids
  const list = async (query: CallInput['query']) => {
    const { total, roles } = (await get('listRoles', query)).data
    return { total, ids: roles.map(({ id }) => id) }
  }
  t.same(await list({ keyword: 'LIST' }), { total: 3, ids: [c, b, a] })
  t.same(await list({ keyword: 'list_' }), { total: 2, ids: [b, a] })
  t.same(await list({ keyword: '%' }), { total: 1, ids: [a] })
  t.same(await list({ keyword: '\\' }), { total: 1, ids: [b] })
  t.same(await list({ name: 'the list', status: 2 }), { total: 1, ids: [b] })
  t.same(await list({ keyword: 'list', pageNum: 2, pageSize: 2 }), { total: 3, ids: [a] })
  t.same(await list({ keyword: 'list', pageNum: 9 }), { total: 3, ids: [] })
  const all = (await get('listRoles')).data
  t.equal(all.total, all.roles.length)
})

t.test('bounds are those of the contract, and odd texts are kept as they are', async (t) => {
  refused(t, await post('addRole', { name: 'x', keyword: 'x', sort: 0 }), 400, 'sort')
  refused(t, await post('addRole', { name: 'x', keyword: 'x', sort: 1000 }), 400, 'sort')
  refused(t, await post('addRole', { name: '', keyword: 'x' }), 400, 'name')
  refused(t, await post('addRole', { name: 'x'.repeat(21), keyword: 'x' }), 400, 'name')
  refused(t, await post('addRole', { name: 'x\0', keyword: 'x' }), 400, 'name')
  for (const name of ['x\n', '\u0085', ' ', '\u3000'])
    refused(t, await post('addRole', { name, keyword: 'x' }), 400, 'name')
  for (const name of ["'); drop table r;--", '{"$ne":1}', '😀'.repeat(20), '\u202Eevil', ' x ', '$1 ?']) {
    const id = done(await call('addRole', { body: { name, keyword: name, remark: name }, token: s.admin })).id
    t.match(await showRole(id), { name, keyword: name, remark: name })
  }
})

t.test('a caller cannot make, change, bind or delete a role of their own rank, or raise one to it', async (t) => {
  const chief = await s.actor('chief', 10, roleOperations)
  const add = (sort: number | undefined) =>
    post('addRole', { name: `by chief ${sort}`, keyword: `by chief ${sort}`, ...(sort && { sort }) }, chief.token)
  refused(t, await add(1), 403, 'sort')
  refused(t, await add(9), 403, 'sort')
  refused(t, await add(10), 403, 'sort')
  t.equal((await add(11)).code, 0)
  t.equal((await add(undefined)).code, 0)

  const lower = await addRole('lower', { sort: 11 })
  const equal = await addRole('equal', { sort: 10 })
  const higher = await addRole('higher', { sort: 9 })
  const update = (id: number, fields: object = {}) =>
    post('updateRole', { id, name: `changed ${id}`, keyword: `changed ${id}`, ...fields }, chief.token)
  for (const id of [equal, higher, chief.roleId, await s.roleId('admin')]) {
    const before = await showRole(id)
    refused(t, await update(id), 403, 'id')
    refused(t, await update(id, { sort: 999 }), 403, 'id')
    refused(t, await update(id, { status: 2 }), 403, 'id')
    refused(t, await post('deleteRoles', { roleIds: [lower, id] }, chief.token), 403, 'roleIds.1')
    refused(t, await post('updateRoleApis', { roleId: id, apiIds: [] }, chief.token), 403, 'roleId')
    refused(t, await post('updateRoleMenus', { roleId: id, menuIds: [] }, chief.token), 403, 'roleId')
    t.same(await showRole(id), before)
  }
  refused(t, await update(lower, { sort: 10 }), 403, 'sort')
  refused(t, await update(lower, { sort: 1 }), 403, 'sort')
  t.equal((await update(lower, { sort: 500, status: 2 })).code, 0)
  t.equal((await post('deleteRoles', { roleIds: [lower] }, chief.token)).code, 0)
  t.equal(await showRole(lower), undefined)

  t.equal((await post('updateRole', { id: equal, name: 'of admin', keyword: 'equal', sort: 1 })).code, 0)
})

t.test('a disabled role gives no rank', async (t) => {
  const strong = await addRole('strong', { sort: 2, status: 2 })
  const own = await addRole('own', { sort: 40 })
  await s.grant(own, ['POST /role/add'])
  const { token } = await s.person('lent', { roleIds: [strong, own] })
  refused(t, await post('addRole', { name: 'lent', keyword: 'lent', sort: 30 }, token), 403, 'sort')
  t.equal((await post('addRole', { name: 'lent', keyword: 'lent', sort: 41 }, token)).code, 0)
})

t.test("the administrator's role stays what it is and grants everything", async (t) => {
  const id = await s.roleId('admin')
  const update = (fields: object) => post('updateRole', { id, name: 'admin', keyword: 'admin', ...fields })
  refused(t, await update({ keyword: 'root' }), 403, 'keyword')
  refused(t, await update({ status: 2 }), 403, 'status')
  refused(t, await update({ sort: 2 }), 403, 'sort')
  refused(t, await post('deleteRoles', { roleIds: [id] }), 403, 'roleIds.0')
  refused(t, await post('updateRoleApis', { roleId: id, apiIds: [] }), 403, 'roleId')
  refused(t, await post('updateRoleMenus', { roleId: id, menuIds: [] }), 403, 'roleId')
  t.equal((await update({ name: 'Administrators', remark: 'All of it', sort: 1, status: 1 })).code, 0)
  t.match(await showRole(id), { name: 'Administrators', keyword: 'admin', remark: 'All of it', sort: 1, status: 1 })

  const entry = done(await call('addApi', { body: { category: 'new', method: 'GET', path: '/new' }, token: s.admin }))
  const menu = await addMenu('Brand new')
  t.ok((await granted(id)).includes(entry.id))
  t.equal((await granted(id)).length, (await get('listApis')).data.total)
  t.ok((await get('getRoleMenus', { roleId: id })).data.some((each) => each.id === menu))
})

t.test('a role that a user has cannot be deleted; deletion is all or nothing', async (t) => {
  const [free, held] = [await addRole('free'), await addRole('held')]
  await s.grant(free, ['GET /user/list'])
  await s.person('holder-1', { roleIds: [held] })
  await s.person('holder-2', { roleIds: [held] })
  const reply = await post('deleteRoles', { roleIds: [free, held] })
  refused(t, reply, 409, 'roleIds.1')
  t.match(reply.msg, /2 users/)
  refused(t, await post('deleteRoles', { roleIds: [free, unknownId] }), 404, 'roleIds.1')
  t.ok(await showRole(free))
  t.equal((await post('deleteRoles', { roleIds: [] })).code, 0)
  t.equal((await post('deleteRoles', { roleIds: [free, free] })).code, 0, 'its grants go with it')
  t.equal(await showRole(free), undefined)
  refused(t, await get('getRoleApis', { roleId: free }), 404, 'roleId')
  refused(t, await get('getRoleMenus', { roleId: free }), 404, 'roleId')
})

t.test('grants are replaced as a whole and apply from the next request on', async (t) => {
  const { token, roleId } = await s.actor('reader', 50, ['GET /role/list'])
  const [roles, menus] = [await entryId('GET /role/list'), await entryId('GET /menu/tree')]
  t.equal((await get('listRoles', {}, token)).code, 0)
  t.equal((await get('getMenuTree', {}, token)).code, 403)
  t.equal((await post('updateRoleApis', { roleId, apiIds: [menus, menus] })).code, 0)
  t.same(await granted(roleId), [menus])
  t.equal((await get('listRoles', {}, token)).code, 403)
  t.equal((await get('getMenuTree', {}, token)).code, 0)

  refused(t, await post('updateRoleApis', { roleId, apiIds: [roles, unknownId] }), 404, 'apiIds.1')
  refused(t, await post('updateRoleApis', { roleId: unknownId, apiIds: [] }), 404, 'roleId')
  refused(t, await post('updateRoleMenus', { roleId, menuIds: [unknownId] }), 404, 'menuIds.0')
  t.same(await granted(roleId), [menus], 'a refused change changes nothing')

  const setStatus = (status: number) => post('updateRole', { id: roleId, name: 'reader', keyword: 'reader', status })
  t.equal((await setStatus(2)).code, 0)
  t.equal((await get('getMenuTree', {}, token)).code, 403)
  t.equal((await setStatus(1)).code, 0)
  t.equal((await get('getMenuTree', {}, token)).code, 0)
  t.equal((await post('updateRoleApis', { roleId, apiIds: [] })).code, 0)
  t.equal((await get('getMenuTree', {}, token)).code, 403)
})

t.test('a caller grants only what they hold; what a role has already may stay', async (t) => {
  const giver = await s.actor('giver', 20, [...roleOperations, 'GET /menu/tree'])
  const [own, alien] = [await entryId('GET /menu/tree'), await entryId('POST /user/delete')]
  const [ownMenu, alienMenu] = [await addMenu('Own menu'), await addMenu('Alien menu')]
  done(await post('updateRoleMenus', { roleId: giver.roleId, menuIds: [ownMenu] }))
  const target = await addRole('target', { sort: 21 })

  const bindApis = (apiIds: number[]) => post('updateRoleApis', { roleId: target, apiIds }, giver.token)
  refused(t, await bindApis([own, alien]), 403, 'apiIds.1')
  t.same(await granted(target), [])
  t.equal((await bindApis([own])).code, 0)
  done(await post('updateRoleApis', { roleId: target, apiIds: [alien] }))
  t.equal((await bindApis([own, alien])).code, 0, 'no new grant')
  t.same((await granted(target)).sort(), [own, alien].sort())
  t.equal((await bindApis([])).code, 0)
  refused(t, await bindApis([alien]), 403, 'apiIds.0')

  const bindMenus = (menuIds: number[]) => post('updateRoleMenus', { roleId: target, menuIds }, giver.token)
  refused(t, await bindMenus([alienMenu, ownMenu]), 403, 'menuIds.0')
  t.equal((await bindMenus([ownMenu])).code, 0)
  done(await post('updateRoleMenus', { roleId: target, menuIds: [alienMenu] }))
  t.equal((await bindMenus([alienMenu, ownMenu])).code, 0)
  t.same(
    (await get('getRoleMenus', { roleId: target })).data.map(({ id }) => id),
    [ownMenu, alienMenu],
  )
})

t.test('a caller cannot gain rights by enabling a role that grants more than they hold', async (t) => {
  const dormant = await addRole('dormant', { sort: 60, status: 2 })
  await s.grant(dormant, ['POST /user/delete'])
  const own = await addRole('sly', { sort: 25 })
  await s.grant(own, roleOperations)
  const { token } = await s.person('sly', { roleIds: [own, dormant] })
  const enable = () => post('updateRole', { id: dormant, name: 'Dormant', keyword: 'dormant', status: 1 }, token)
  refused(t, await enable(), 403, 'status')
  t.match(await showRole(dormant), { status: 2 })
  await s.grant(own, [...roleOperations, 'POST /user/delete'])
  t.equal((await enable()).code, 0)
  t.match(await showRole(dormant), { status: 1 })
})

t.test('a new menu has the defaults', async (t) => {
  const id = await addMenu('Defaults')
  t.match(await showMenu(id), {
    name: 'Defaults',
    title: 'Defaults',
    path: 'Defaults',
    component: 'Page',
    parentId: 0,
    icon: '',
    redirect: '',
    activeMenu: '',
    sort: 999,
    status: 1,
    hidden: 2,
    alwaysShow: 2,
    noCache: 2,
    breadcrumb: 1,
    creator: 'admin',
    children: { length: 0 },
  })
  refused(t, await post('addMenu', { name: 'x', title: 'x', path: 'x', component: '' }), 400, 'component')
})

t.test('menus are ordered by sort, then by age, below their parent', async (t) => {
  const root = await addMenu('T', { sort: 1 })
  await addMenu('T.b', { parentId: root, sort: 20 })
  await addMenu('T.c', { parentId: root, sort: 20 })
  const a = await addMenu('T.a', { parentId: root, sort: 10 })
  await addMenu('T.a.a', { parentId: a })
  const tree = (await get('getMenuTree')).data
  t.equal(outline(tree.filter(({ id }) => id === root)), 'T(T.a(T.a.a),T.b,T.c)')
  refused(
    t,
    await post('addMenu', { name: 'x', title: 'x', path: 'x', component: 'x', parentId: unknownId }),
    404,
    'parentId',
  )
})

t.test('a menu is changed in part, moved, and never given a name that is taken', async (t) => {
  const [house, guest] = [await addMenu('House'), await addMenu('Guest', { icon: 'hut', hidden: 1 })]
  const update = (fields: object) => post('updateMenu', { id: guest, name: 'Guest', title: 'G', path: 'g', ...fields })
  t.equal((await update({ parentId: house, sort: 3 })).code, 0)
  t.match(await showMenu(guest), { title: 'G', parentId: house, sort: 3, icon: 'hut', hidden: 1, component: 'Page' })
  t.equal((await update({ icon: '', component: '' })).code, 0)
  t.match(await showMenu(guest), { parentId: house, icon: '', component: '' })
  t.equal((await update({ parentId: 0 })).code, 0)
  t.match(await showMenu(guest), { parentId: 0 })
  refused(t, await update({ name: 'House' }), 409, 'name')
  refused(t, await post('addMenu', { name: 'House', title: 'x', path: 'x', component: 'x' }), 409, 'name')
  refused(t, await update({ parentId: unknownId }), 404, 'parentId')
  refused(t, await update({ id: unknownId }), 404, 'id')
})

t.test('a menu cannot be placed below itself, nor too deep', async (t) => {
  const top = await addMenu('Circle')
  const middle = await addMenu('Circle.1', { parentId: top })
  const leaf = await addMenu('Circle.2', { parentId: middle })
  const move = async (id: number, parentId: number) => {
    const { name = '' } = (await showMenu(id)) ?? {}
    return post('updateMenu', { id, name, title: name, path: name, parentId })
  }
  for (const parentId of [top, middle, leaf]) refused(t, await move(top, parentId), 400, 'parentId')
  t.match(await showMenu(top), { parentId: 0 })
  t.equal((await move(leaf, top)).code, 0)

  let deepest = 0
  for (let level = 1; level <= 31; level++) deepest = await addMenu(`Level ${level}`, { parentId: deepest })
  refused(t, await move(top, deepest), 400, 'parentId')
  t.equal((await move(leaf, deepest)).code, 0)
  refused(
    t,
    await post('addMenu', { name: 'x', title: 'x', path: 'x', component: 'x', parentId: leaf }),
    400,
    'parentId',
  )
})

t.test('menus are deleted all or not at all, and none that has menus below it', async (t) => {
  const top = await addMenu('Gone')
  const child = await addMenu('Gone.1', { parentId: top })
  const grandchild = await addMenu('Gone.2', { parentId: child })
  const role = await addRole('gone')
  done(await post('updateRoleMenus', { roleId: role, menuIds: [top] }))
  refused(t, await post('deleteMenus', { menuIds: [grandchild, unknownId] }), 404, 'menuIds.1')
  refused(t, await post('deleteMenus', { menuIds: [grandchild, top] }), 409, 'menuIds.1')
  t.ok(await showMenu(grandchild))
  t.equal((await post('deleteMenus', { menuIds: [top, grandchild, child, child] })).code, 0)
  t.equal(await showMenu(child), undefined)
  t.same((await get('getRoleMenus', { roleId: role })).data, [])
})

t.test('a user sees the menus of their enabled roles, and the menus above those', async (t) => {
  const a = await addMenu('A', { sort: 2 })
  const aa = await addMenu('A.A', { parentId: a, sort: 2 })
  const ab = await addMenu('A.B', { parentId: a, sort: 1 })
  await addMenu('A.C', { parentId: a })
  const aaa = await addMenu('A.A.A', { parentId: aa })
  const off = await addMenu('Off', { sort: 1, status: 2 })
  const below = await addMenu('Off.on', { parentId: off })
  const b = await addMenu('B', { sort: 1 })
  const [one, two, disabled] = [await addRole('one'), await addRole('two'), await addRole('three', { status: 2 })]
  const bind = (roleId: number, menuIds: number[]) => post('updateRoleMenus', { roleId, menuIds })
  await bind(one, [aaa, below, off])
  await bind(two, [ab, aaa])
  await bind(disabled, [b])
  await s.grant(one, ['GET /menu/access/tree'])
  const { id, token } = await s.person('viewer', { roleIds: [one, two, disabled] })

  const seen = async () => outline((await get('getAccessMenuTree', { id }, token)).data)
  t.equal(await seen(), 'A(A.B,A.A(A.A.A))')
  t.equal(
    outline((await get('getAccessMenuTree', { id })).data),
    await seen(),
    'the administrator sees the same menus as the user',
  )
  done(await post('updateRole', { id: disabled, name: 'three', keyword: 'three', status: 1 }))
  t.equal(await seen(), 'B,A(A.B,A.A(A.A.A))')
  done(await post('updateMenu', { id: aa, name: 'A.A', title: 'x', path: 'x', status: 2 }))
  t.equal(await seen(), 'B,A(A.B)', 'a disabled menu hides the menus below it')
  done(await post('updateMenu', { id: off, name: 'Off', title: 'x', path: 'x', status: 1 }))
  t.equal(await seen(), 'Off(Off.on),B,A(A.B)')
})

t.test('the administrator sees every enabled menu, whatever is stored for their role', async (t) => {
  await addMenu('Only just added')
  const enabled = <N extends Branch & { status: number }>(nodes: readonly N[]): N[] =>
    nodes.flatMap((node) => (node.status === 1 ? [node, ...enabled(node.children as N[])] : []))
  const own = flat((await get('getAccessMenuTree', { id: 1 })).data).map(({ name }) => name)
  t.ok(own.includes('Only just added'))
  t.same(
    own,
    enabled((await get('getMenuTree')).data).map(({ name }) => name),
  )
})

t.test("another user's menus are shown to users of higher rank only", async (t) => {
  const look = ['GET /menu/access/tree']
  const strong = await s.actor('look-strong', 30, look)
  const equal = await s.actor('look-equal', 30, look)
  const weak = await s.actor('look-weak', 31, look)
  const menusOf = (id: number, token: string) => get('getAccessMenuTree', { id }, token)
  t.equal((await menusOf(weak.id, strong.token)).code, 0)
  t.equal((await menusOf(weak.id, weak.token)).code, 0)
  refused(t, await menusOf(equal.id, strong.token), 403, 'id')
  refused(t, await menusOf(strong.id, weak.token), 403, 'id')
  refused(t, await menusOf(1, strong.token), 403, 'id')
  refused(t, await menusOf(unknownId, strong.token), 404, 'id')
  refused(t, await menusOf(unknownId, s.admin), 404, 'id')
})

t.test('an API entry is one method and path, however the method is written', async (t) => {
  const add = (fields: object) => call('addApi', { body: { category: 'own', path: '/own', ...fields }, token: s.admin })
  const id = done(await add({ method: 'get', remark: 'Mine' })).id
  t.match(await showEntry(id), { category: 'own', method: 'GET', path: '/own', remark: 'Mine', creator: 'admin' })
  refused(t, await add({ method: 'Get' }), 409, 'path')
  const other = done(await add({ method: 'POST' })).id
  refused(t, await post('updateApi', { id: other, method: 'get' }), 409, 'path')
  t.equal((await post('updateApi', { id: other, path: '/own/2', method: 'get', remark: '' })).code, 0)
  t.match(await showEntry(other), { method: 'GET', path: '/own/2', category: 'own' })
  refused(t, await post('updateApi', { id: unknownId }), 404, 'id')
  refused(t, await add({ method: 'x'.repeat(21) }), 400, 'method')
})

t.test('what roles have been granted becomes no other operation', async (t) => {
  const mover = await s.actor('mover', 20, ['POST /api/update'])
  const add = async (path: string) =>
    done(await call('addApi', { body: { category: 'own', method: 'GET', path }, token: s.admin })).id
  const [granted, free] = [await add('/granted'), await add('/free')]
  done(await post('updateRoleApis', { roleId: mover.roleId, apiIds: [await entryId('POST /api/update'), granted] }))
  const update = (body: object) => post('updateApi', body, mover.token)
  refused(t, await update({ id: granted, path: '/of/a/later/release' }), 403, 'path')
  refused(t, await update({ id: granted, method: 'POST', path: '/granted' }), 403, 'method')
  t.match(await showEntry(granted), { method: 'GET', path: '/granted' })
  t.equal((await update({ id: granted, method: 'get', path: '/granted', remark: 'same' })).code, 0)
  t.equal((await update({ id: free, path: '/free/2' })).code, 0, 'no role has been granted it')
  t.equal((await post('updateApi', { id: granted, path: '/granted/2' })).code, 0, 'an administrator may')
})

t.test('API entries are listed by filter and page, and as a tree by category', async (t) => {
  for (const path of ['/tree/a_b', '/tree/axb', '/tree/%']) {
    done(await post('addApi', { category: 'a tree', method: 'GET', path }))
  }
  const list = async (query: CallInput['query']) => {
    const { total, apis } = (await get('listApis', query)).data
    return { total, paths: apis.map(({ path }) => path) }
  }
  t.same(await list({ category: 'A TREE' }), { total: 3, paths: ['/tree/%', '/tree/axb', '/tree/a_b'] })
  t.same(await list({ path: 'a_b' }), { total: 1, paths: ['/tree/a_b'] })
  t.same(await list({ path: 'tree/%', method: 'ge', creator: 'adm' }), { total: 1, paths: ['/tree/%'] })
  t.same(await list({ category: 'a tree', creator: 'system' }), { total: 0, paths: [] })
  t.same(await list({ category: 'a tree', pageNum: 2, pageSize: 2 }), { total: 3, paths: ['/tree/a_b'] })

  const tree = (await get('getApiTree')).data
  t.ok(tree.every(({ id, children }) => id <= 0 && children.length > 0))
  t.equal(new Set(tree.map(({ id }) => id)).size, tree.length)
  t.same(
    tree.map(({ category }) => category),
    tree.map(({ category }) => category).sort(),
  )
  t.equal(tree.flatMap(({ children }) => children).length, (await get('listApis')).data.total)
  const node = tree.find(({ category }) => category === 'a tree')
  t.match(node, { remark: 'a tree', children: [{ path: '/tree/a_b' }, { path: '/tree/axb' }, { path: '/tree/%' }] })
})

t.test('the entries of what is served keep their operation; one made by hand goes with its grants', async (t) => {
  const served = await entryId('GET /user/list')
  const before = await showEntry(served)
  refused(t, await post('updateApi', { id: served, method: 'POST' }), 409, 'method')
  refused(t, await post('updateApi', { id: served, path: '/user/others' }), 409, 'path')
  const own = done(await call('addApi', { body: { category: 'x', method: 'PUT', path: '/x' }, token: s.admin })).id
  refused(t, await post('deleteApis', { apiIds: [own, served] }), 409, 'apiIds.1')
  refused(t, await post('deleteApis', { apiIds: [own, unknownId] }), 404, 'apiIds.1')
  t.same(await showEntry(served), before)

  const role = await addRole('entries')
  done(await post('updateRoleApis', { roleId: role, apiIds: [own, served] }))
  t.equal((await post('deleteApis', { apiIds: [own] })).code, 0)
  t.same(await granted(role), [served])
  t.equal(await showEntry(own), undefined)
})

t.test('a field relation is a flag and its attributes', async (t) => {
  const odd = { username: 'lower(before(email, "@"))', 'odd "key"': '"it\'s; --"', empty: '""', '': "'\\\\u0000 😀'" }
  const seeded = (await get('listFieldRelations')).data
  t.match(await post('addFieldRelation', { flag: 'own', attributes: odd }), {
    code: 401,
    data: { required: 'second_factor' },
  })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const id = done(await call('addFieldRelation', { body: { flag: 'own', attributes: odd }, token: s.admin })).id
  const other = done(await call('addFieldRelation', { body: { flag: 'other', attributes: {} }, token: s.admin })).id
  const list = async () => (await get('listFieldRelations')).data.filter(({ creator }) => creator === 'admin')
  t.match(await list(), [
    { id: other, flag: 'other', attributes: {} },
    { id, flag: 'own' },
  ])
  t.strictSame((await list())[1]?.attributes, odd)
  refused(t, await post('addFieldRelation', { flag: 'own', attributes: {} }), 409, 'flag')
  refused(t, await post('updateFieldRelation', { id: other, flag: 'own', attributes: {} }), 409, 'flag')
  refused(t, await post('addFieldRelation', { flag: 'x', attributes: { a: 1 } }), 400, 'attributes.a')
  refused(t, await post('addFieldRelation', { flag: 'x', attributes: ['a'] }), 400, 'attributes')
  refused(t, await post('addFieldRelation', { flag: 'x', attributes: { a: 'x'.repeat(1025) } }), 400, 'attributes.a')
  t.equal((await post('updateFieldRelation', { id, flag: 'renamed', attributes: { groupName: 'name' } })).code, 0)
  t.match((await list())[1], { id, flag: 'renamed' })
  t.strictSame((await list())[1]?.attributes, { groupName: 'name' }, 'the attributes are replaced as a whole')
  refused(t, await post('updateFieldRelation', { id: unknownId, flag: 'x', attributes: {} }), 404, 'id')
  refused(t, await post('deleteFieldRelations', { fieldRelationIds: [id, unknownId] }), 404, 'fieldRelationIds.1')
  t.equal((await list()).length, 2)
  t.equal((await post('deleteFieldRelations', { fieldRelationIds: [id, other] })).code, 0)
  t.same((await get('listFieldRelations')).data, seeded)
})

t.test('texts that an administrator changed in an API entry are still there after the next start', async (t) => {
  const database = await testDatabase(t)
  const first = await openConsole(t, { database })
  const id = await first.entryId('GET /user/list')
  const untouched = await first.entryId('GET /group/list')
  done(await first.post('updateApi', { id, category: 'People', remark: 'Who is here' }))
  await first.close()
  const second = await openConsole(t, { database })
  t.match(await second.showEntry(id), { category: 'People', remark: 'Who is here', method: 'GET', path: '/user/list' })
  t.match(await second.showEntry(untouched), { category: 'groups', creator: 'system' })
  refused(t, await second.post('deleteApis', { apiIds: [id] }), 409, 'apiIds.0')
})

t.test('changes at the same time', { skip: postgresMissing || false }, async (t) => {
  const database = await testServerDatabase(t)
  const s = await openConsole(t, { database })
  const { post } = s

  t.test('two menus that are moved below each other at once still form a tree', async (t) => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await s.addMenu(`a${round}`), await s.addMenu(`b${round}`)]
      const move = (id: number, name: string, parentId: number) =>
        post('updateMenu', { id, name, title: 'x', path: 'x', parentId })
      const replies = await Promise.all([move(a, `a${round}`, b), move(b, `b${round}`, a)])
      t.same(replies.map(({ code }) => code).sort(), [0, 400])
      t.ok((await s.showMenu(a)) && (await s.showMenu(b)), 'both are still in the tree')
    }
  })

  t.test('a menu is not deleted while another is being placed below it', async (t) => {
    for (let round = 0; round < 5; round++) {
      const top = await s.addMenu(`top${round}`)
      const body = { name: `below${round}`, title: 'x', path: 'x', component: 'x', parentId: top }
      const [added, deleted] = await Promise.all([post('addMenu', body), post('deleteMenus', { menuIds: [top] })])
      t.ok((added.code === 0 && deleted.code === 409) || (added.code === 404 && deleted.code === 0), added.msg)
    }
  })

  t.test('a role is not deleted while a user is given it', async (t) => {
    for (let round = 0; round < 5; round++) {
      const role = await s.addRole(`given${round}`)
      const user = { username: `given${round}`, nickname: '', mail: '', mobile: '', jobNumber: '', departmentId: [] }
      const [added, deleted] = await Promise.all([
        post('addUser', { ...user, roleIds: [role] }),
        post('deleteRoles', { roleIds: [role] }),
      ])
      t.ok((added.code === 0 && deleted.code === 409) || (added.code === 404 && deleted.code === 0), added.msg)
    }
  })

  t.test('the last enabled administrator stays, whichever roles are disabled or weakened at once', async (t) => {
    const names = ['root-a', 'root-b']
    const roots = await Promise.all(
      names.map((name) => s.actor(name, 1, ['POST /role/update', 'POST /user/changeUserStatus'])),
    )
    const [a, b] = roots
    if (!a || !b) throw new Error('There are two')
    done(await post('changeUserStatus', { id: 1, status: 2 }, a.token))
    const change = ({ roleId, token }: typeof a, name: string, fields: object) =>
      post('updateRole', { id: roleId, name, keyword: name, ...fields }, token)
    const replies = await Promise.all([change(a, 'root-a', { status: 2 }), change(b, 'root-b', { sort: 5 })])
    t.same(replies.map(({ code }) => code).sort(), [0, 403])
    const left = await s.db.execute(sql`
      select from users u join user_roles ur on ur.user_id = u.id join roles r on r.id = ur.role_id
      where u.status = 1 and r.status = 1 and r.sort = 1`)
    t.equal(left.length, 1)
  })
})

t.test('a caller cannot have the codes of a user with more rights sent to themselves', async (t) => {
  const s = await openConsole(t)
  const desk = await s.actor('desk', 2, ['POST /user/update', 'GET /user/list'])
  const cleaner = await s.actor('cleaner', 10, ['DELETE /log/operation/clean'])
  const reader = await s.actor('reader', 10, ['GET /user/list'])
  const readdress = (victim: { id: number; roleId: number }, mail: string) =>
    s.post('updateUser', { id: victim.id, departmentId: [], roleIds: [victim.roleId], mail }, desk.token)
  refused(t, await readdress(cleaner, 'desk@example.org'), 403, 'mail')
  t.equal((await readdress(cleaner, '')).code, 0, 'an address can be taken away')
  t.equal(
    (await readdress(reader, 'reader@example.org')).code,
    0,
    'the address of a user with no more rights can be changed',
  )
  t.equal((await readdress(reader, 'READER@example.org')).code, 0)
})
