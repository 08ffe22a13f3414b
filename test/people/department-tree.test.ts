import t from 'tap'
import { openConsole, unknownId } from './console.ts'

const s = await openConsole(t)
const { addUser, addGroup, call, token: admin } = s

const list = async (query: Readonly<Record<string, string | number>> = {}, token = admin) => {
  const { code, msg, data } = await call('listDepartments', { query, token })
  if (code !== 200) throw new Error(`${code} ${msg}`)
  return data
}
const names = ({ departments }: Awaited<ReturnType<typeof list>>) => departments.map(({ name }) => name)
const move = (id: number, body: object, token = admin) => call('moveDepartment', { params: { id }, body, token })

const company = await addGroup('Company', { groupType: 'ou' })
const [sales, support] = [
  await addGroup('Sales', { parentId: company }),
  await addGroup('Support', { parentId: company }),
]
const east = await addGroup('East', { parentId: sales, remark: 'beyond the river' })
await addUser('ann', { departmentId: [sales] })
await addUser('bo', { departmentId: [sales, east] })

t.test('a node shows its children by name, a page at a time', async (t) => {
  t.same(names(await list()), ['Company'])
  const first = await list({ parent: company, limit: 1 })
  t.match(first, { total: 2, totalIsExact: true, previous: null })
  t.match(first.departments, [
    {
      id: sales,
      name: 'Sales',
      type: 'cn',
      parent: company,
      childCount: 1,
      hasChildren: true,
      memberCount: 2,
      path: null,
    },
  ])
  const second = await list({ parent: company, limit: 1, cursor: first.next ?? '' })
  t.match(second.departments, [{ id: support, childCount: 0, hasChildren: false, memberCount: 0 }])
  t.equal(second.next, null)
  t.same(names(await list({ parent: company, limit: 1, cursor: second.previous ?? '' })), ['Sales'])
  t.match(await call('listDepartments', { query: { parent: unknownId }, token: admin }), {
    code: 404,
    data: [{ field: 'parent' }],
  })
})

t.test('a search finds departments wherever they are, each with its path', async (t) => {
  const [found] = (await list({ q: 'EAS' })).departments
  t.same(
    found?.path?.map(({ id }) => id),
    [company, sales, east],
  )
  t.same(names(await list({ q: 'the river' })), ['East'])
  t.same(names(await list({ q: 'a' })).sort(), ['Company', 'East', 'Sales'])
  t.same(names(await list({ q: '%' })), [])
  const path = await call('getDepartmentPath', { params: { id: east }, token: admin })
  t.same(
    path.data.map(({ name }) => name),
    ['Company', 'Sales', 'East'],
  )
  t.equal((await call('getDepartmentPath', { params: { id: unknownId }, token: admin })).code, 404)
  const one = await call('getDepartment', { params: { id: east }, token: admin })
  const [listed] = (await list({ q: one.data.name })).departments.filter((department) => department.id === east)
  t.same(one.data, listed, 'one department is shown as a search shows it')
  t.equal((await call('getDepartment', { params: { id: unknownId }, token: admin })).code, 404)
})

t.test('members and the people who are not members are paged and searched', async (t) => {
  const members = async (query: Readonly<Record<string, string | number | boolean>>) =>
    (await call('listMembers', { params: { id: sales }, query, token: admin })).data.people.map((one) => one.username)
  t.same(await members({}), ['ann', 'bo'])
  t.same(await members({ q: 'bo' }), ['bo'])
  t.same(await members({ order: 'desc', limit: 1 }), ['bo'])
  t.same(await members({ member: false }), ['admin'])
  t.equal((await call('listMembers', { params: { id: unknownId }, token: admin })).code, 404)
})

t.test('a department moves with all below it, after a dry run that says so', async (t) => {
  const tried = await move(sales, { parent: support, dryRun: true })
  t.same(tried.data, { dryRun: true, departments: 2, people: 2, obstacle: null })
  t.ok(await s.values(`cn=Sales,ou=Company,${s.directory.baseDn}`, 'cn'), 'nothing has moved')
  t.same((await move(sales, { parent: support })).data, { dryRun: false, departments: 2, people: 2, obstacle: null })
  const dn = `cn=East,cn=Sales,cn=Support,ou=Company,${s.directory.baseDn}`
  t.match(await s.values(dn, 'member'), [s.userDn('bo')])
  t.equal((await move(sales, { parent: null })).code, 200)
  t.same(names(await list()), ['Company', 'Sales'])
  t.ok(await s.values(s.groupDn('Sales'), 'cn'))
})

t.test('a move that cannot be is refused, and a dry run names the obstacle', async (t) => {
  await addGroup('Sales', { parentId: support })
  const obstacles: [number | null, number, string, string][] = [
    [east, 400, 'db.group_below_itself', 'parent'],
    [sales, 400, 'db.group_below_itself', 'parent'],
    [support, 409, 'people.group_name_taken', 'groupName'],
  ]
  for (const [parent, code, reason, field] of obstacles) {
    t.match(await move(sales, { parent }), { code, reason, data: [{ field }] })
    t.match(await move(sales, { parent, dryRun: true }), { code: 200, data: { obstacle: { reason } } })
  }
  t.match(await move(sales, { parent: unknownId }), { code: 404, data: [{ field: 'parent' }] })
  t.match(await move(unknownId, { parent: null }), { code: 404, data: [{ field: 'id' }] })
  const [{ version = '' } = {}] = (await list()).departments.filter(({ id }) => id === sales)
  await s.post('updateGroup', { id: sales, groupName: 'Sales', remark: 'changed by another administrator' })
  t.match(await move(sales, { parent: company, version }), { code: 409, reason: 'db.changed_meanwhile' })
})

t.test('two moves at once never make a circle', async (t) => {
  const [a, b] = [await addGroup('A'), await addGroup('B')]
  const [below, under] = [await addGroup('below A', { parentId: a }), await addGroup('below B', { parentId: b })]
  for (let round = 0; round < 5; round++) {
    const codes = (await Promise.all([move(a, { parent: under }), move(b, { parent: below })])).map(({ code }) => code)
    t.same(codes.sort(), [200, 400])
    t.equal((await call('getDepartmentPath', { params: { id: below }, token: admin })).code, 200)
    await Promise.all([move(a, { parent: null }), move(b, { parent: null })])
  }
})

t.test('a caller is told which departments hold people of their own rank or a higher one', async (t) => {
  const { data: role } = await s.post('addRole', { name: 'desk', keyword: 'desk', sort: 10 })
  const entries = (await s.get('listApis')).data.apis.map(({ id }) => id)
  await s.post('updateRoleApis', { roleId: role.id, apiIds: entries })
  const desk = await s.person('desk', { roleIds: [role.id], departmentId: [east] })
  const access = async (query: object) =>
    Object.fromEntries(
      (await list(query as Record<string, string>, desk.token)).departments.map(({ name, access }) => [
        name,
        access.reason,
      ]),
    )
  const reason = 'access.subtree_users_too_strong'
  t.match(await access({}), { A: null, Company: null, Sales: reason })
  t.match(await access({ parent: sales }), { East: reason })
  t.match(await move(sales, { parent: company }, desk.token), { code: 403, reason })
  t.match(await move(sales, { parent: company, dryRun: true }, desk.token), {
    code: 200,
    data: { obstacle: { reason } },
  })
  t.equal((await move(company, { parent: null }, desk.token)).code, 200)
})

t.test('an entry of a department is tried again', async (t) => {
  const reply = await call('retryDepartment', { params: { id: east }, token: admin })
  t.match(reply.data, { state: 'synced', cure: null })
  t.equal((await call('retryDepartment', { params: { id: unknownId }, token: admin })).code, 404)
})
