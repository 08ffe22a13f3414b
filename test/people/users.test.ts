import { sql } from 'drizzle-orm'
import t from 'tap'
import { committedChange } from '../../src/access/committed.ts'
import type { CallInput } from '../contract/call.ts'
import { postgresMissing, testServerDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { skipWithoutSlapd } from '../slapd.ts'
import { openConsole, person, refused, unknownId } from './console.ts'

const s = await openConsole(t)
const { call, get, post, addUser, addGroup, showUser, roleId, userDn, groupDn, values } = s
const admin = s.token
const password = 'seven-quiet-lanterns'
/** What a group of names without members holds. */
const empty = [groupDn('nobody')]
const login = (username: string, as = password): Promise<string> => s.signIn(username, as)

/** A role that may do everything to users. */
const makeRole = async (keyword: string, sort: number, operations = '/user/%'): Promise<number> => {
  await s.db.execute(sql`insert into roles (name, keyword, sort) values (${keyword}, ${keyword}, ${sort})`)
  const id = await roleId(keyword)
  await s.db.execute(
    sql`insert into role_apis select ${id}::bigint, id from api_entries where path like ${operations} on conflict do nothing`,
  )
  return id
}
t.test('a new user has the defaults, is in the directory, and can sign in there and here', async (t) => {
  const group = await addGroup('Newcomers')
  const role = await roleId('user')
  const added = await post('addUser', {
    ...person('li.na', { departmentId: [group, group], roleIds: [role], mail: 'Li.Na@example.org', password }),
    ...{ unknown: 'dropped', id: unknownId },
  })
  t.match(added, { code: 0, msg: 'success' })
  t.not(added.data.id, unknownId, 'a caller chooses no id')
  t.match(await showUser('li.na'), {
    id: added.data.id,
    status: 1,
    givenName: '',
    departmentId: [group],
    roleIds: [role],
    roles: [{ id: role, keyword: 'user', sort: 3, status: 1 }],
    userDn: userDn('li.na'),
    syncState: 1,
    syncError: '',
    syncStated: null,
    creator: 'admin',
  })
  const token = await login('li.na')
  t.match((await get('getUserInfo', {}, token)).data, { id: added.data.id, username: 'li.na' })
  t.same(await values(userDn('li.na'), 'departmentNumber'), ['Newcomers'])
  t.same(await values(groupDn('Newcomers'), 'member'), [userDn('li.na')])
})

t.test('departments are what the groups are called, unless a text was set', async (t) => {
  const [one, two] = [await addGroup('Kitchen, hot'), await addGroup('Bar')]
  const id = await addUser('cook', { departmentId: [one, two] })
  const shown = async () => {
    const user = await showUser('cook')
    const [listed] = (await get('listUsers')).data.users.filter(({ username }) => username === 'cook')
    t.equal(listed?.departments, user?.departments)
    return user?.departments
  }
  const update = async (fields: object) =>
    t.equal((await post('updateUser', { id, departmentId: [one, two], roleIds: [], ...fields })).code, 0)
  const names = async (): Promise<unknown> => (await values(userDn('cook'), 'ou'))?.sort()
  t.equal(await shown(), 'Bar, Kitchen, hot')
  await post('updateGroup', { id: two, groupName: 'Lounge' })
  t.equal(await shown(), 'Kitchen, hot, Lounge')
  t.same(await names(), ['Kitchen, hot', 'Lounge'])

  await update({ departments: 'Lounge,Kitchen, hot' })
  await post('updateGroup', { id: two, groupName: 'Bar' })
  t.equal(await shown(), 'Bar, Kitchen, hot', 'the text that a console sends back does not count as set')
  await update({ departments: 'Bar, Kitchen, hot', departmentId: [one] })
  t.equal(await shown(), 'Kitchen, hot', 'also when it changes the groups with it')
  await update({ departments: 'Bar', departmentId: [two] })
  t.equal(await shown(), 'Bar')

  await update({ departments: 'Evenings' })
  await post('updateGroup', { id: two, groupName: 'Lounge' })
  t.equal(await shown(), 'Evenings', 'a text is kept')
  t.same(await names(), ['Kitchen, hot', 'Lounge'], 'and the directory has the names')
  await update({ departments: '' })
  t.equal(await shown(), 'Kitchen, hot, Lounge')
  const token = await login('admin', s.config.adminPassword ?? '')
  t.match((await get('getUserInfo', {}, token)).data, { departments: '' })
  await addUser('waiter', { departmentId: [two], departments: 'Lounge' })
  await post('updateGroup', { id: two, groupName: 'Pub' })
  t.match(await showUser('waiter'), { departments: 'Pub' })
})

t.test('a disabled newcomer is parked; one without a password cannot sign in', async (t) => {
  await addUser('parked', { status: 2, password })
  t.match(await showUser('parked'), { status: 2, userDn: userDn('parked', 'disabled') })
  t.same(await values(userDn('parked', 'disabled'), 'userPassword'), [])
  refused(t, await call('login', { body: { username: 'parked', password } }), 401, null)
  await addUser('no-password', { password: '' })
  refused(t, await call('login', { body: { username: 'no-password', password: '' } }), 401, null)
})

t.test('a value that another user has already is a conflict that names the field', async (t) => {
  const taken = { mail: 'taken@example.org', mobile: '+49 170 1', jobNumber: 'T-1' }
  await addUser('müller x', taken)
  for (const username of ['MÜLLER X', 'müller  x', ' müller x ', 'ｍüller x', 'mu\u0308ller x']) {
    refused(t, await post('addUser', person(username)), 409, 'username')
  }
  refused(t, await post('addUser', person('other', { mail: 'TAKEN@Example.org' })), 409, 'mail')
  refused(t, await post('addUser', person('other', { mobile: taken.mobile })), 409, 'mobile')
  refused(t, await post('addUser', person('other', { jobNumber: taken.jobNumber })), 409, 'jobNumber')
  t.equal(await showUser('other'), undefined)

  const id = await addUser('other')
  const update = (fields: object) => post('updateUser', { id, departmentId: [], roleIds: [], ...fields })
  refused(t, await update({ username: 'MÜLLER X' }), 409, 'username')
  refused(t, await update({ mail: taken.mail, nickname: 'new' }), 409, 'mail')
  t.match(await showUser('other'), { username: 'other', nickname: 'other', mail: '' })
})

t.test('of two requests that take the same name at once, one gets it', async (t) => {
  const replies = await Promise.all(['Twin', 'tWIN', 'TWIN', 'twin'].map((name) => post('addUser', person(name))))
  t.same(replies.map(({ code }) => code).sort(), [0, 409, 409, 409])
})

t.test('unknown departments and roles are not found, and nothing is written', async (t) => {
  refused(t, await post('addUser', person('lost', { departmentId: [1, unknownId] })), 404, 'departmentId.1')
  refused(t, await post('addUser', person('lost', { roleIds: [unknownId] })), 404, 'roleIds.0')
  t.equal(await showUser('lost'), undefined)
  const id = await addUser('found', { departmentId: [1] })
  const update = (fields: object) => post('updateUser', { id, departmentId: [], roleIds: [], ...fields })
  refused(t, await update({ roleIds: [unknownId] }), 404, 'roleIds.0')
  refused(t, await update({ departmentId: [unknownId] }), 404, 'departmentId.0')
  refused(t, await update({ id: unknownId }), 404, 'id')
  t.match(await showUser('found'), { departmentId: [1] })
})

t.test('a value that a directory cannot hold is refused with the field named', async (t) => {
  for (const username of ['\u200b\u200b', '  ', 'a\tb', 'a\u0007b', 'a\nb']) {
    refused(t, await post('addUser', person(username)), 400, 'username')
  }
  refused(t, await post('addUser', person('ok', { mail: 'jürgen@example.org' })), 400, 'mail')
  for (const mobile of ['１３８', '138*1', '138;1', '138\n1', '"138"']) {
    refused(t, await post('addUser', person('ok', { mobile })), 400, 'mobile')
  }
  refused(t, await post('addUser', person('ok', { password: 'short' })), 400, 'password')
  refused(t, await post('addUser', person('ok', { password: 'password1' })), 400, 'password')
})

t.test('every name and number that is accepted reaches the directory', async (t) => {
  const names = [
    'a,b', 'a+b', 'a"b', 'a\\b', '#a', ' ab', 'ac ', 'a=b', 'a;b', '<a>', '李娜', '😀😀', '*(a)', 'uid=x,ou=people', "o'x", 'a/b',
  ] // biome-ignore format: a list
  for (const [index, username] of names.entries()) {
    const id = await addUser(username, {
      nickname: username,
      mobile: `+${index} (0)-1./2:=?,'x`,
      jobNumber: `#${index}, `,
    })
    t.match(
      await showUser(username),
      { id, userDn: userDn(username), syncState: 1, syncError: '' },
      JSON.stringify(username),
    )
  }
  const found = await Promise.all(names.map((username) => values(userDn(username), 'uid')))
  t.same(
    found,
    names.map((name) => [name]),
  )
})

t.test('an update changes what it names and nothing else', async (t) => {
  const [left, stays, joined] = [
    await addGroup('left'),
    await addGroup('stays', { groupType: 'ou' }),
    await addGroup('joined'),
  ]
  const [user, guest] = [await roleId('user'), await roleId('guest')]
  const fields = { givenName: 'Eve', position: 'Lead', introduction: 'Hello', avatar: 'x.png', jobNumber: 'E-7' }
  const id = await addUser('eve', { ...fields, departmentId: [left, stays], roleIds: [user], password })
  await s.db.execute(sql`update users set nickname = ${'a name longer than twenty'} where id = ${id}`)

  t.equal((await post('updateUser', { id, introduction: '', departmentId: [stays, joined], roleIds: [guest] })).code, 0)
  t.match(await showUser('eve'), {
    ...fields,
    introduction: '',
    nickname: 'a name longer than twenty',
    departmentId: [stays, joined],
    roleIds: [guest],
    status: 1,
    syncState: 1,
  })
  await login('eve')
  t.same(await values(groupDn('left'), 'member'), empty)
  t.same(await values(groupDn('joined'), 'member'), [userDn('eve')])
  t.same(await values(userDn('eve'), 'description'), [])
})

t.test('a new username renames the entry and every reference to it', async (t) => {
  const [kept, left] = [await addGroup('mentions'), await addGroup('mentioned')]
  const id = await addUser('before', { departmentId: [kept, left], password })
  const token = await login('before')
  t.equal((await post('updateUser', { id, username: 'After', departmentId: [kept], roleIds: [] })).code, 0)
  t.match(await showUser('After'), { userDn: userDn('After'), syncState: 1 })
  t.same(await values(groupDn('mentions'), 'member'), [userDn('After')])
  t.same(await values(groupDn('mentioned'), 'member'), empty)
  t.equal(await values(userDn('before'), 'uid'), null)
  t.match((await get('getUserInfo', {}, token)).data, { username: 'After' })
})

t.test('two changes of different fields of one user at once are both kept', async (t) => {
  const id = await addUser('shared')
  const [one, two] = [await addGroup('set one'), await addGroup('set two')]
  const sets = [
    { departmentId: [one], position: 'x' },
    { departmentId: [two], givenName: 'y' },
  ]
  const replies = await Promise.all(sets.map((fields) => post('updateUser', { id, roleIds: [], ...fields })))
  t.same(
    replies.map(({ code }) => code),
    [0, 0],
  )
  const user = await showUser('shared')
  t.match(user, { position: 'x', givenName: 'y' })
  t.equal(user?.departmentId.length, 1, 'the last request sets the groups of the user; the two sets do not mix')
})

t.test('users are deleted together or not at all, and are gone at once', async (t) => {
  const group = await addGroup('leavers')
  const ids = [await addUser('gone1', { departmentId: [group], password }), await addUser('gone2')]
  const token = await login('gone1')
  refused(t, await post('deleteUsers', { userIds: [...ids, unknownId] }), 404, 'userIds.2')
  t.ok(await showUser('gone1'))
  t.match(await post('deleteUsers', { userIds: [...ids, ...ids] }), { code: 0, msg: 'success', data: null })
  t.equal(await showUser('gone1'), undefined)
  refused(t, await get('getUserInfo', {}, token), 401, null)
  t.same([await values(userDn('gone1'), 'uid'), await values(userDn('gone2'), 'uid')], [null, null])
  t.same(await values(groupDn('leavers'), 'member'), empty)
  t.equal((await post('deleteUsers', { userIds: [] })).code, 0)
  t.ok(await addUser('gone1'), 'the name is free again')
})

t.test('disabling parks the entry and ends the sessions; enabling puts it back whole', async (t) => {
  const group = await addGroup('break')
  const id = await addUser('pausing', { departmentId: [group], password })
  const token = await login('pausing')
  t.equal((await post('changeUserStatus', { id, status: 2 })).code, 0)
  refused(t, await get('getUserInfo', {}, token), 401, null)
  refused(t, await call('login', { body: { username: 'pausing', password } }), 401, null)
  t.match(await showUser('pausing'), {
    status: 2,
    departmentId: [group],
    userDn: userDn('pausing', 'disabled'),
  })
  t.same(await values(userDn('pausing', 'disabled'), 'userPassword'), [])
  t.same(await values(groupDn('break'), 'member'), empty)

  t.equal((await post('changeUserStatus', { id, status: 1 })).code, 0)
  refused(t, await get('getUserInfo', {}, token), 401, null)
  await login('pausing')
  t.equal((await values(userDn('pausing'), 'userPassword'))?.length, 1)
  t.same(await values(groupDn('break'), 'member'), [userDn('pausing')])
  refused(t, await post('changeUserStatus', { id: unknownId, status: 2 }), 404, 'id')
})

t.test('the last enabled administrator stays, and a caller cannot remove themselves', async (t) => {
  const [self, role] = [(await get('getUserInfo')).data.id, await roleId('admin')]
  refused(t, await post('deleteUsers', { userIds: [self] }), 403, 'userIds.0')
  refused(t, await post('changeUserStatus', { id: self, status: 2 }), 403, 'id')
  refused(t, await post('updateUser', { id: self, departmentId: [], roleIds: [] }), 403, null)
  const disabled = await addUser('disabled-admin', { roleIds: [role], status: 2 })
  refused(t, await post('updateUser', { id: self, departmentId: [], roleIds: [] }), 403, null)
  t.match((await get('getUserInfo')).data, { roleIds: [role] })
  t.equal((await post('deleteUsers', { userIds: [disabled] })).code, 0, 'a disabled one is not the last one')
})

t.test('of two administrators who remove each other at once, one stays', async (t) => {
  const role = await roleId('admin')
  for (const round of [1, 2, 3]) {
    const id = await addUser(`rival${round}`, { roleIds: [role], password })
    const self = (await get('getUserInfo')).data.id
    const token = await login(`rival${round}`)
    const strip = (target: number, as: string) => post('updateUser', { id: target, departmentId: [], roleIds: [] }, as)
    const replies = await Promise.all([strip(id, admin), strip(self, token)])
    const left = await s.db.execute(
      sql`select from users u join user_roles r on r.user_id = u.id where r.role_id = ${role} and u.status = 1`,
    )
    t.equal(left.length, 1, replies.map(({ msg }) => msg).join(' / '))
    // In either case, the next round starts with the first administrator alone. The other one gives back what they took.
    await post('updateUser', { id: self, departmentId: [], roleIds: [role] }, token)
    t.equal((await post('updateUser', { id, departmentId: [], roleIds: [] }, admin)).code, 0)
  }
})

t.test('seniority: only lower users can be changed, only lower and covered roles given', async (t) => {
  const manager = await makeRole('manager', 2)
  const [adminRole, user, guest] = [await roleId('admin'), await roleId('user'), await roleId('guest')]
  const clerk = await makeRole('clerk', 50, '/user/list')
  const boss = await makeRole('boss', 2, '/user/list')
  const id = await addUser('manager', { roleIds: [manager], password })
  const token = await login('manager')
  const as = <Id extends Parameters<typeof call>[0]>(operation: Id, body: unknown) => post(operation, body, token)
  const peer = await addUser('peer', { roleIds: [boss] })
  const self = (await get('getUserInfo')).data.id

  for (const [target, name] of [
    [self, 'of higher rank'],
    [peer, 'of equal rank'],
    [id, 'the caller'],
  ] as const) {
    refused(t, await as('updateUser', { id: target, nickname: name, departmentId: [], roleIds: [clerk] }), 403, 'id')
    refused(t, await as('changeUserStatus', { id: target, status: 2 }), 403, 'id')
    refused(t, await as('deleteUsers', { userIds: [target] }), 403, 'userIds.0')
  }
  refused(t, await as('addUser', person('upstart', { roleIds: [adminRole] })), 403, 'roleIds.0')
  refused(t, await as('addUser', person('upstart', { roleIds: [clerk, manager] })), 403, 'roleIds.1')
  refused(t, await as('addUser', person('upstart', { roleIds: [user] })), 403, 'roleIds.0')
  t.equal(await showUser('upstart'), undefined)

  const lower = (await as('addUser', person('lower', { roleIds: [clerk, guest] }))).data.id
  t.ok(lower, 'a caller can give what they hold')
  refused(t, await as('updateUser', { id: lower, departmentId: [], roleIds: [clerk, boss] }), 403, 'roleIds.1')
  await post('updateUser', { id: lower, departmentId: [], roleIds: [clerk, user] })
  t.equal(
    (await as('updateUser', { id: lower, departmentId: [], roleIds: [user] })).code,
    0,
    'a role that the user has can stay',
  )
  t.equal((await as('changeUserStatus', { id: lower, status: 2 })).code, 0)
  t.equal((await as('deleteUsers', { userIds: [lower] })).code, 0)
  t.match((await get('getUserInfo', {}, token)).data, { id }, 'every user may read their own record')

  await s.db.execute(sql`update roles set status = 2 where id = ${boss}`)
  refused(t, await as('deleteUsers', { userIds: [peer] }), 403, 'userIds.0')
})

t.test('a change of roles applies from the next request on', async (t) => {
  const id = await addUser('promoted', { roleIds: [], password })
  const token = await login('promoted')
  refused(t, await get('listUsers', { pageSize: 1 }, token), 403, null)
  await post('updateUser', { id, departmentId: [], roleIds: [await roleId('clerk')] })
  t.equal((await get('listUsers', { pageSize: 1 }, token)).code, 0)
  await post('updateUser', { id, departmentId: [], roleIds: [] })
  refused(t, await get('listUsers', { pageSize: 1 }, token), 403, null)
})

t.test('a user changes their own password, which ends their sessions', async (t) => {
  await addUser('selfmade', { password })
  const [token, other] = [await login('selfmade'), await login('selfmade')]
  const change = (oldPassword: string, newPassword: string) =>
    post('changeOwnPassword', { oldPassword, newPassword }, token)
  refused(t, await change('not the old one', 'seven-loud-lanterns'), 400, 'oldPassword')
  refused(t, await change(password, 'short'), 400, 'newPassword')
  refused(t, await change(password, 'password123'), 400, 'newPassword')
  t.match(await change(password, 'seven-loud-lanterns'), { code: 0, msg: 'success', data: null })
  refused(t, await get('getUserInfo', {}, token), 401, null)
  refused(t, await get('getUserInfo', {}, other), 401, null)
  refused(t, await call('login', { body: { username: 'selfmade', password } }), 401, null)
  await login('selfmade', 'seven-loud-lanterns')
})

t.test('guessing the old password is limited like guessing at the sign-in', async (t) => {
  await addUser('guessed', { password })
  const token = await login('guessed')
  const guess = () => post('changeOwnPassword', { oldPassword: 'wrong', newPassword: 'seven-loud-lanterns' }, token)
  let code = 0
  for (let tries = 0; tries < 12 && code !== 429; tries++) code = (await guess()).code
  t.equal(code, 429)
  await s.db.execute(sql`delete from throttles`)
})

t.test('lists: pages, filters, and everything at once', async (t) => {
  const group = await addGroup('listed')
  await s.db.execute(sql`
    insert into users (username, username_key, nickname, given_name, mail, mobile, job_number, status)
    select 'many' || i, 'many' || i, 'Nick' || i, case when i = 7 then '50%_\\x' else '' end, 'm' || i || '@many.org',
      '+1 ' || i, 'J-' || i, case when i % 2 = 0 then 2 else 1 end
    from generate_series(1, 2500) i`)
  await s.db.execute(sql`
    insert into directory_entries (kind, record_id, next_at, synced_version)
    select 'user', id, null, case username when 'many8' then 1 else 0 end from users where username like 'many%'`)
  await s.db.execute(
    sql`insert into group_members select ${group}::bigint, id from users where username like 'many1__'`,
  )
  const total = async (query: NonNullable<CallInput['query']>) =>
    (await get('listUsers', { ...query, pageSize: 1 })).data.total

  const first = (await get('listUsers', { username: 'many', pageSize: 10 })).data
  const second = (await get('listUsers', { username: 'many', pageNum: 2 })).data
  t.match([first.total, first.users.length, second.users.length], [2500, 10, 10])
  t.same(
    [...first.users, ...second.users].map(({ username }) => username),
    Array.from({ length: 20 }, (_, i) => `many${2500 - i}`),
  )
  t.match((await get('listUsers', { pageNum: 2_147_483_647, pageSize: 1000 })).data, { users: { length: 0 } })

  t.equal(await total({ username: 'MANY12' }), 111)
  t.equal(await total({ nickname: 'nick249', status: 1 }), 6, 'filters are joined by and')
  t.equal(await total({ nickname: 'nick249', username: '' }), 11, 'an empty filter filters nothing')
  t.equal(await total({ mail: '@MANY.org', status: 2 }), 1250)
  t.equal(await total({ mobile: '+1 9', username: 'many99' }), 11)
  t.equal(await total({ jobNumber: 'j-777' }), 1)
  t.equal(await total({ departmentId: group }), 100)
  for (const text of ['%', '_', '\\']) t.equal(await total({ givenName: text }), 1, `${text} is a plain character`)
  t.equal(await total({ syncState: 2, username: 'many' }), 2499)
  t.equal(await total({ syncState: 1, username: 'many' }), 1)
  t.equal(await total({ syncState: 1, username: 'admin' }), 1)
  refused(t, await get('listUsers', { status: 3 }), 400, 'status')

  const { total: all, users } = (await get('listUsers', { username: 'many' })).data
  t.match([all, users.length], [2500, 2500])
  t.same(
    users.map(({ id }) => id),
    users.map(({ id }) => id).sort((a, b) => b - a),
  )
  t.equal(new Set(users.map(({ id }) => id)).size, 2500)
  await s.db.execute(sql`
    with gone as (delete from users where username like 'many%' returning id)
    delete from directory_entries where kind = 'user' and record_id in (select id from gone)`)
})

t.test('syncSqlUsers repairs what was changed in the directory, and says so', async (t) => {
  const ids = [await addUser('drift1', { position: 'Lead' }), await addUser('drift2'), await addUser('drift3')]
  await s.directory.write({
    kind: 'modify',
    dn: userDn('drift1'),
    changes: [{ operation: 'replace', attribute: 'title', values: ['x'] }],
  })
  await s.directory.write({ kind: 'delete', dn: userDn('drift2') })
  const run = await post('syncSqlUsers', { userIds: [...ids, ...ids] })
  t.match(run.data, {
    source: 'sql',
    kind: 'users',
    state: 'done',
    total: 3,
    added: 1,
    updated: 1,
    unchanged: 1,
    failed: 0,
    problems: { length: 0 },
  })
  t.ok(run.data.finishedAt)
  t.same(await values(userDn('drift1'), 'title'), ['Lead'])
  t.same(await values(userDn('drift2'), 'uid'), ['drift2'])
  t.match((await post('syncSqlUsers', { userIds: ids })).data, { total: 3, unchanged: 3, added: 0, updated: 0 })
  refused(t, await post('syncSqlUsers', { userIds: [...ids, unknownId] }), 404, 'userIds.3')
})

t.test('sources that are not configured say what to set', async (t) => {
  for (const source of ['ExtA', 'ExtB', 'ExtC', 'ExtLdap'] as const) {
    const reply = await post(`sync${source}Users`, {})
    refused(t, reply, 503, null)
    t.match(reply.msg, new RegExp(`${source} is not configured: set ${source.toUpperCase()}_`))
  }
})

t.test('no change is lost while the directory is away', { skip: skipWithoutSlapd }, async (t) => {
  await s.slapd?.stop()
  const added = await post('addUser', person('while away', { password }))
  t.match(added, { code: 0, msg: 'saved; the directory follows' })
  t.match(await showUser('while away'), { syncState: 2 })
  const run = await post('syncSqlUsers', { userIds: [added.data.id] })
  t.match(run.data, { state: 'failed', problems: [{ step: 'connect' }] })
  await s.slapd?.start()
  await eventually(async () => (await showUser('while away'))?.syncState === 1, 'the change is in the directory')
  t.match(await showUser('while away'), { syncState: 1, syncError: '' })
  t.same(await values(userDn('while away'), 'uid'), ['while away'])
})

t.test('changes that wait for each other are made one after the other', { skip: postgresMissing }, async (t) => {
  const { db } = await testServerDatabase(t)
  await db.execute(sql`insert into roles (name, keyword) values ('one', 'one'), ('two', 'two')`)
  const change = committedChange({ db, principals: { announce: async () => {}, drop: () => {} } })
  let made = 0
  const both = new Set<string>()
  const rename = (first: string, second: string) =>
    change('operator', async (tx) => {
      made += 1
      await tx.execute(sql`update roles set remark = ${first} where name = ${first}`)
      both.add(first)
      await eventually(() => both.size === 2, 'both have begun')
      await tx.execute(sql`update roles set remark = ${first} where name = ${second}`)
      return {}
    })
  await Promise.all([rename('one', 'two'), rename('two', 'one')])
  // More often when the change that made way is back before the other one has woken.
  t.ok(made > 2, 'the change that was given up was made again')
  const remarks = await db.execute<{ remark: string }>(sql`select distinct remark from roles`)
  t.equal(remarks.length, 1, 'and whole')
})

t.test('no reply and no line of the log ever held a password, in whatever form', async (t) => {
  t.ok(s.said.length > 100 && s.logs.length > 100)
  for (const secret of ['argon2', 'passwordHash', 'password_hash', 'directoryPassword', password]) {
    t.notOk(
      [...s.said, ...s.logs].some((text) => text.includes(secret)),
      secret,
    )
  }
})
