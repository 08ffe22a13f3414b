import { sql } from 'drizzle-orm'
import t from 'tap'
import { eventually } from '../eventually.ts'
import { openConsole, refused, unknownId } from './console.ts'

const s = await openConsole(t)
const { get, post, addUser, addGroup, showUser, showGroup, userDn, groupDn, values } = s
/** What a group of names without members holds. */
const empty = [groupDn('nobody')]
const group = (groupName: string, fields: object = {}) => ({ groupName, groupType: 'cn', parentId: 0, ...fields })
const names = (list: { userList: { userName: string }[] }) => list.userList.map(({ userName }) => userName).sort()

t.test('a new group is below its parent, in SQL and in the directory', async (t) => {
  const parentId = await addGroup('Company', { groupType: 'ou', remark: 'All of it' })
  const added = await post('addGroup', group('Platform', { parentId, unknown: 'dropped' }))
  t.match(added, { code: 0, msg: 'success' })
  t.match(await showGroup(parentId), { groupType: 'ou', parentId: 0, remark: 'All of it', syncState: 1 })
  t.match(await showGroup(added.data.id), {
    groupName: 'Platform',
    groupType: 'cn',
    parentId,
    remark: '',
    memberCount: 0,
    groupDn: `cn=Platform,${groupDn('Company', 'ou')}`,
    syncState: 1,
    syncError: '',
    syncStated: null,
    source: '',
    creator: 'admin',
  })
  t.same(await values(groupDn('Company', 'ou'), 'description'), ['All of it'])
  t.same(await values(`cn=Platform,${groupDn('Company', 'ou')}`, 'member'), empty)
})

t.test('an invalid group is refused with the field named', async (t) => {
  refused(t, await post('addGroup', group('x', { groupType: 'dc' })), 400, 'groupType')
  refused(t, await post('addGroup', group('x', { parentId: unknownId })), 404, 'parentId')
  for (const name of ['\u200b', ' ', 'a\tb', 'a\nb']) {
    refused(t, await post('addGroup', group(name)), 400, 'groupName')
  }
})

t.test('the names of the layout are reserved at the top level only', async (t) => {
  for (const name of ['people', 'PEOPLE', ' Disabled ']) {
    refused(t, await post('addGroup', group(name, { groupType: 'ou' })), 409, 'groupName')
  }
  refused(t, await post('addGroup', group('Nobody')), 409, 'groupName')
  const parentId = await addGroup('Layout', { groupType: 'ou' })
  const below = await addGroup('people', { groupType: 'ou', parentId })
  t.match(await showGroup(below), { syncState: 1 })
  t.match(await showGroup(await addGroup('people')), { syncState: 1 }, 'cn=people is another entry than ou=people')
  refused(t, await post('updateGroup', { id: parentId, groupName: 'Disabled' }), 409, 'groupName')
})

t.test('a membership that another request changes at the same moment is shown as it is in the end', async (t) => {
  const id = await addGroup('Contended')
  const userIds = [await addUser('con1'), await addUser('con2')]
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all([
      post('addGroupUsers', { groupId: id, userIds }),
      post('removeGroupUsers', { groupId: id, userIds: [...userIds].reverse() }),
      post('addGroupUsers', { groupId: id, userIds: userIds.slice(0, 1) }),
    ])
    t.same(new Set(answers.map(({ code }) => code)), new Set([0]))
    const { data } = await get('listUsersInGroup', { groupId: id })
    const listed = data.userList.map(({ userName }: { userName: string }) => userDn(userName)).sort()
    const wanted = listed.length > 0 ? listed : empty
    await eventually(async () => {
      const members = await values(groupDn('Contended'), 'member')
      return JSON.stringify([...(members ?? [])].sort()) === JSON.stringify(wanted)
    }, 'the entry lists them')
  }
})

t.test('a name is taken once under one parent', async (t) => {
  const [one, two] = [await addGroup('One', { groupType: 'ou' }), await addGroup('Two', { groupType: 'ou' })]
  await addGroup('Sales', { parentId: one })
  await addGroup('Sales', { parentId: two })
  for (const name of ['sales', ' SALES ', 'Ｓales']) {
    refused(t, await post('addGroup', group(name, { parentId: one })), 409, 'groupName')
  }
  const id = await addGroup('Sales')
  refused(t, await post('updateGroup', { id, groupName: 'ONE' }), 409, 'groupName')
  const replies = await Promise.all(['Race', 'race', 'RACE'].map((name) => post('addGroup', group(name))))
  t.same(replies.map(({ code }) => code).sort(), [0, 409, 409], 'also of several at once')
})

t.test('every name reaches the directory', async (t) => {
  const hostile = [
    ...[
      'a,b',
      'a+b',
      'a"b',
      'a\\b',
      '#a',
      ' ab',
      'ac ',
      'a=b',
      'a;b',
      '<a>',
      '研发部',
      '😀',
      '*',
      '(a)',
      'a/b',
      'ou=x,dc=y',
    ],
  ]
  const parentId = await addGroup(', + " \\ # = ; < > 部', { groupType: 'ou' })
  for (const name of hostile) {
    const found = await showGroup(await addGroup(name, { parentId }))
    t.match(found, { groupName: name, syncState: 1, syncError: '' }, JSON.stringify(name))
    t.same(await values(found?.groupDn ?? '', 'cn'), [name])
  }
  t.equal((await post('updateGroup', { id: parentId, groupName: '= renamed, with all below =' })).code, 0)
  const tree = (await get('getGroupTree')).data.find(({ id }) => id === parentId)
  t.same(
    tree?.children.map(({ groupName, syncState }) => [groupName, syncState]),
    hostile.map((name) => [name, 1]),
  )
})

t.test('a new name is carried to everything below and to the members', async (t) => {
  const top = await addGroup('Old', { groupType: 'ou' })
  const middle = await addGroup('Middle', { parentId: top })
  const leaf = await addGroup('Leaf', { parentId: middle })
  await addUser('renamed1', { departmentId: [top] })
  await addUser('renamed2', { departmentId: [leaf] })
  t.equal((await post('updateGroup', { id: top, groupName: 'New' })).code, 0)
  const dn = `cn=Leaf,cn=Middle,${groupDn('New', 'ou')}`
  t.match(await showGroup(leaf), { groupDn: dn, syncState: 1 })
  t.same(await values(dn, 'member'), [userDn('renamed2')])
  t.equal(await values(groupDn('Old', 'ou'), 'ou'), null)
  t.same(await values(userDn('renamed1'), 'departmentNumber'), ['New'])
  t.same(await values(userDn('renamed2'), 'departmentNumber'), ['Leaf'])

  t.equal((await post('updateGroup', { id: middle, groupName: 'MIDDLE', remark: 'loud' })).code, 0)
  t.match(await showGroup(middle), { groupName: 'MIDDLE', remark: 'loud', parentId: top, syncState: 1 })
  await post('updateGroup', { id: middle, groupName: 'MIDDLE' })
  t.match(await showGroup(middle), { remark: 'loud' }, 'an absent remark stays')
  await post('updateGroup', { id: middle, groupName: 'MIDDLE', remark: '' })
  t.match(await showGroup(middle), { remark: '' }, 'an empty one clears it')
  refused(t, await post('updateGroup', { id: unknownId, groupName: 'x' }), 404, 'id')
})

t.test('groups are deleted together or not at all, and none that has groups below it', async (t) => {
  const parent = await addGroup('Parent', { groupType: 'ou' })
  const child = await addGroup('Child', { parentId: parent })
  const grandchild = await addGroup('Grandchild', { parentId: child })
  await addUser('untied', { departmentId: [parent, child] })
  refused(t, await post('deleteGroups', { groupIds: [parent] }), 409, 'groupIds.0')
  refused(t, await post('deleteGroups', { groupIds: [grandchild, parent] }), 409, 'groupIds.1')
  refused(t, await post('deleteGroups', { groupIds: [grandchild, unknownId] }), 404, 'groupIds.1')
  t.ok(await showGroup(grandchild))
  const all = { groupIds: [parent, grandchild, child, parent] }
  t.match(await post('deleteGroups', all), { code: 0, data: null })
  t.equal(await showGroup(parent), undefined)
  t.match(await showUser('untied'), { departmentId: { length: 0 }, syncState: 1 })
  t.same(await values(userDn('untied'), 'departmentNumber'), [])
  // The directory takes a level at a time.
  await eventually(async () => (await values(groupDn('Parent', 'ou'), 'ou')) === null, 'the parent is gone')
  t.ok(await addGroup('Parent', { groupType: 'ou' }), 'the name is free again')
})

t.test('a group that is being deleted gets no children', async (t) => {
  for (const round of [1, 2, 3, 4]) {
    const parentId = await addGroup(`Doomed ${round}`, { groupType: 'ou' })
    const [gone, added] = await Promise.all([
      post('deleteGroups', { groupIds: [parentId] }),
      post('addGroup', group('Orphan', { parentId })),
    ])
    t.ok(
      (gone.code === 0 && added.code === 404) || (gone.code === 409 && added.code === 0),
      `${gone.msg} / ${added.msg}`,
    )
    const orphans = await s.db.execute(sql`
      select from groups g where parent_id is not null and not exists (select from groups p where p.id = g.parent_id)`)
    t.equal(orphans.length, 0)
  }
})

t.test('groups nest 32 levels deep and no deeper', async (t) => {
  let parentId = await addGroup('Level 1', { groupType: 'ou' })
  for (let level = 2; level <= 32; level++) parentId = await addGroup(`L${level}`, { groupType: 'ou', parentId })
  t.match(await showGroup(parentId), { syncState: 1 })
  refused(t, await post('addGroup', group('too deep', { parentId })), 400, 'parentId')
})

t.test('the tree holds every group once, under its parent', async (t) => {
  const roots = (await get('getGroupTree')).data
  type Node = (typeof roots)[number]
  const flat = (nodes: Node[], parentId: number): number[] =>
    nodes.flatMap((node) => {
      t.equal(node.parentId, parentId)
      return [node.id, ...flat(node.children, node.id)]
    })
  const inTree = flat(roots, 0)
  const listed = (await get('listGroups')).data
  t.equal(listed.total, inTree.length)
  t.same(
    inTree.sort((a, b) => b - a),
    listed.groups.map(({ id }) => id),
  )
})

t.test('members are added and removed any number of times', async (t) => {
  const id = await addGroup('Club')
  const users = [await addUser('club1'), await addUser('club2'), await addUser('club3', { status: 2 })]
  for (const _ of ['first', 'again']) {
    t.match(await post('addGroupUsers', { groupId: id, userIds: [...users, ...users] }), { code: 0, msg: 'success' })
    t.match(await showGroup(id), { memberCount: 3, syncState: 1 })
    t.same(
      (await values(groupDn('Club'), 'member'))?.sort(),
      [userDn('club1'), userDn('club2')],
      'the parked one is not',
    )
    t.same(await values(userDn('club1'), 'departmentNumber'), ['Club'])
  }
  for (const _ of ['first', 'again']) {
    t.equal((await post('removeGroupUsers', { groupId: id, userIds: users })).code, 0)
    t.match(await showGroup(id), { memberCount: 0, syncState: 1 })
    t.same(await values(groupDn('Club'), 'member'), empty)
    t.same(await values(userDn('club1'), 'departmentNumber'), [])
  }
  for (const operation of ['addGroupUsers', 'removeGroupUsers'] as const) {
    refused(t, await post(operation, { groupId: unknownId, userIds: users }), 404, 'groupId')
    refused(t, await post(operation, { groupId: id, userIds: [...users, unknownId] }), 404, 'userIds.3')
  }
  t.match(await showGroup(id), { memberCount: 0 }, 'a refused request changes nothing')
})

t.test('members of an ou are kept here and show on the person', async (t) => {
  const id = await addGroup('Unit', { groupType: 'ou' })
  const userIds = [await addUser('unit1')]
  t.match(await post('addGroupUsers', { groupId: id, userIds }), { code: 0, msg: 'success' })
  t.match(await showGroup(id), { memberCount: 1, syncState: 1 })
  t.same(await values(userDn('unit1'), 'departmentNumber'), ['Unit'])
})

t.test('who is in a group and who is not', async (t) => {
  const groupId = await addGroup('Choir', { remark: 'sings' })
  await addUser('choir1', {
    nickname: 'Alto 100%',
    departmentId: [groupId],
    mail: 'c1@example.org',
    introduction: 'hi',
  })
  await addUser('choir2', { nickname: 'Bass', departmentId: [groupId] })
  await addUser('choir3', { nickname: 'Alto too' })
  const inside = (await get('listUsersInGroup', { groupId })).data
  t.match(inside, { groupId, groupName: 'Choir', groupRemark: 'sings' })
  t.same(names(inside), ['choir1', 'choir2'])
  t.match(
    inside.userList.find(({ userName }) => userName === 'choir1'),
    { nickName: 'Alto 100%', mail: 'c1@example.org', jobNumber: '', mobile: '', introduction: 'hi' },
  )
  t.same(names((await get('listUsersInGroup', { groupId, nickname: 'ALTO' })).data), ['choir1'])
  t.same(names((await get('listUsersInGroup', { groupId, nickname: '0%' })).data), ['choir1'])
  t.same(names((await get('listUsersInGroup', { groupId, nickname: '' })).data), ['choir1', 'choir2'])
  t.same(names((await get('listUsersNotInGroup', { groupId, nickname: 'alto' })).data), ['choir3'])
  const outside = names((await get('listUsersNotInGroup', { groupId })).data)
  t.ok(outside.includes('admin') && !outside.includes('choir1'))
  const searched = async (id: 'listUsersInGroup' | 'listUsersNotInGroup', search: string) =>
    names((await get(id, { groupId, search })).data)
  t.same(await searched('listUsersInGroup', 'CHOIR2'), ['choir2'], 'part of the username')
  t.same(await searched('listUsersInGroup', 'alto'), ['choir1'], 'of the nickname')
  t.same(await searched('listUsersInGroup', 'c1@'), ['choir1'], 'of the mail address')
  t.same(await searched('listUsersInGroup', '0%'), ['choir1'], 'and no pattern')
  t.same(await searched('listUsersNotInGroup', 'choir'), ['choir3'])
  t.same(await searched('listUsersNotInGroup', 'nothing is called so'), [])
  t.equal(inside.total, 2)
  const page = (await get('listUsersInGroup', { groupId, pageNum: 2, pageSize: 1 })).data
  t.match(page, { groupId, groupName: 'Choir', groupRemark: 'sings', total: 2, userList: [{ userName: 'choir1' }] })
  t.equal(page.userList.length, 1)
  t.match((await get('listUsersNotInGroup', { groupId, search: 'choir', pageSize: 5 })).data, { total: 1 })
  t.match((await get('listUsersInGroup', { groupId, pageNum: 3, pageSize: 1 })).data, {
    total: 2,
    userList: { length: 0 },
  })
  refused(t, await get('listUsersInGroup', { groupId, pageSize: 1001 }), 400, 'pageSize')
  refused(t, await get('listUsersInGroup', { groupId: unknownId, pageSize: 1 }), 404, 'groupId')
  refused(t, await get('listUsersInGroup', { groupId: unknownId }), 404, 'groupId')
  refused(t, await get('listUsersNotInGroup', { groupId: unknownId }), 404, 'groupId')
})

t.test('lists: pages and filters', async (t) => {
  await s.db.execute(sql`
    insert into groups (group_name, group_name_key, group_type, remark)
    select 'Many' || i, 'many' || i, 'cn', case when i = 5 then '5%_\\' else '' end from generate_series(1, 1500) i`)
  await s.db.execute(sql`
    insert into directory_entries (kind, record_id, next_at, synced_version)
    select 'group', id, null, case group_name when 'Many7' then 1 else 0 end from groups where group_name like 'Many%'`)
  const total = async (query: object) => (await get('listGroups', { ...query, pageSize: 1 })).data.total
  const page = (await get('listGroups', { groupName: 'many', pageNum: 2, pageSize: 3 })).data
  t.equal(page.total, 1500)
  t.same(
    page.groups.map(({ groupName }) => groupName),
    ['Many1497', 'Many1496', 'Many1495'],
  )
  t.equal(await total({ groupName: 'MANY149' }), 11)
  for (const text of ['%', '_', '\\']) t.equal(await total({ remark: text }), 1, `${text} is a plain character`)
  t.equal(await total({ groupName: 'many', syncState: 2 }), 1499)
  t.equal(await total({ groupName: 'many', syncState: 1 }), 1)
  const all = (await get('listGroups', { groupName: 'many', remark: '' })).data
  t.match([all.total, all.groups.length, new Set(all.groups.map(({ id }) => id)).size], [1500, 1500, 1500])
  await s.db.execute(sql`
    with gone as (delete from groups where group_name like 'Many%' returning id)
    delete from directory_entries where kind = 'group' and record_id in (select id from gone)`)
})

t.test('syncSqlGroups repairs what was changed in the directory, and says so', async (t) => {
  const ids = [await addGroup('Drift 1', { remark: 'right' }), await addGroup('Drift 2'), await addGroup('Drift 3')]
  const spoil = async () => {
    const changes = [{ operation: 'replace' as const, attribute: 'description', values: ['wrong'] }]
    await s.directory.write({ kind: 'modify', dn: groupDn('Drift 1'), changes })
    await s.directory.write({ kind: 'delete', dn: groupDn('Drift 2') })
  }
  await spoil()
  const orphan = `cn=stranger,${s.mirror.address?.baseDn}`
  await s.directory.write({
    kind: 'add',
    dn: orphan,
    attributes: { objectClass: ['groupOfNames'], cn: ['stranger'], member: empty },
  })
  const whole = (await post('syncSqlGroups', undefined)).data
  t.match(whole, { source: 'sql', kind: 'groups', state: 'done', added: 1, updated: 1, skipped: 1, failed: 0 })
  t.match(whole.problems, [{ name: orphan }])
  t.same(await values(orphan, 'cn'), ['stranger'], 'an orphan entry is reported and left alone')
  t.same(await values(groupDn('Drift 1'), 'description'), ['right'])
  t.same(await values(groupDn('Drift 2'), 'member'), empty)

  await spoil()
  const some = (await post('syncSqlGroups', { groupIds: ids })).data
  t.match(some, { state: 'done', total: 3, added: 1, updated: 1, unchanged: 1 })
  t.ok(some.runId > whole.runId)
  refused(t, await post('syncSqlGroups', { groupIds: [...ids, unknownId] }), 404, 'groupIds.3')
})

t.test('a second request for the whole joins the run under way', async (t) => {
  const ask = () => post('syncSqlGroups', {})
  const isRunning = sql`select from runs where kind = 'groups' and source = 'sql' and state = 'running'`
  // The first run cannot end before the directory answers.
  s.slapd?.freeze()
  const first = ask()
  if (s.slapd) await eventually(async () => (await s.db.execute(isRunning)).length > 0, 'the first run')
  const others = [ask(), ask()]
  // Requests are handled in turn, on several connections to the database: after so many, those two have found the run.
  for (let count = 0; count < 50; count++) await get('listGroups', { pageNum: 1, pageSize: 1 })
  s.slapd?.thaw()
  const runs = await Promise.all([first, ...others])
  t.equal(new Set(runs.map(({ data }) => data.runId)).size, 1)
  t.ok(runs.every(({ data }) => data.state === 'done'))
})

t.test('sources that are not configured say what to set', async (t) => {
  for (const source of ['ExtA', 'ExtB', 'ExtC', 'ExtLdap'] as const) {
    const reply = await post(`sync${source}Depts`, undefined)
    refused(t, reply, 503, null)
    t.match(reply.msg, new RegExp(`${source} is not configured: set ${source.toUpperCase()}_`))
  }
})
