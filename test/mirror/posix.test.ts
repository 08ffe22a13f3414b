import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { takeLock } from '../../src/db/locks.ts'
import { posixNumbers } from '../../src/db/schema.ts'
import { openDirectory } from '../../src/ldap/directory.ts'
import type { PosixSettings } from '../../src/mirror/entry/posix.ts'
import { assignNumbers, numbersForeseen } from '../../src/mirror/ledger/posix-numbers.ts'
import { silent, testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { noPosixNumbers } from '../no-posix-numbers.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward } from '../steward.ts'

const open = async (t: Test, slapd: TestSlapd, env: Record<string, string>) => {
  const s = await steward(t, { directory: slapd, env })
  const directory = openDirectory({ ...slapd, startTls: false, ca: null, timeout: 5000, log: silent })
  t.teardown(() => directory.close())
  const names = ['objectClass', 'uidNumber', 'gidNumber', 'homeDirectory', 'loginShell', 'gecos', 'memberUid']
  const at = async (dn: string) => {
    const { objectClass = [], ...rest } = (await directory.read(`${dn},${slapd.baseDn}`, names))?.attributes ?? {}
    const posix = objectClass.filter((name) => name.startsWith('posix'))
    return { posix, ...Object.fromEntries(Object.entries(rest).filter(([, values]) => values.length > 0)) }
  }
  const addUser = async (username: string, more: object = {}) =>
    (await s.take('addUser', { body: person(username, more) })).id
  const addGroup = async (groupName: string) =>
    (await s.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0 } })).id
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  // Numbers are given in the order of writing, and the administrator is written in the background.
  if (env.POSIX_ACCOUNTS === 'all') {
    await eventually(async () => 'uidNumber' in (await at('uid=admin,ou=people')), 'the account of the administrator')
  }
  return { ...s, slapd, directory, at, addUser, addGroup }
}

t.test('all have accounts and groups (RFC 2307bis)', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { rfc2307bis: true })
  const s = await open(t, slapd, { POSIX_ACCOUNTS: 'all', POSIX_NUMBERS: '5000-5008' })
  const group = await s.addGroup('Rowers')
  const ann = await s.addUser('ann', { nickname: 'Änn, "A" Lee: 安', departmentId: [group] })
  const account = (number: number, username: string) => ({
    uidNumber: [String(number)],
    gidNumber: [String(number)],
    homeDirectory: [`/home/${username}`],
    loginShell: ['/bin/bash'],
  })
  // 5000 is the administrator's, 5001 the group's.
  t.same(await s.at('uid=ann,ou=people'), { posix: ['posixAccount'], ...account(5002, 'ann'), gecos: ['Ann "A" Lee'] })
  t.same(await s.at('cn=Rowers'), { posix: ['posixGroup'], gidNumber: ['5001'], memberUid: ['ann'] })
  t.match((await s.ask('getPersonPosix', { params: { id: ann } })).data, { enabled: true, uidNumber: '5002' })

  await s.take('updateUser', { body: { id: ann, username: 'anna', departmentId: [group], roleIds: [] } })
  t.match(await s.at('uid=anna,ou=people'), { uidNumber: ['5002'], homeDirectory: ['/home/anna'] })
  t.match(await s.at('cn=Rowers'), { memberUid: ['anna'] }, 'renamed in memberUid too')
  await s.take('changeUserStatus', { body: { id: ann, status: 2 } })
  t.same(await s.at('uid=anna,ou=disabled'), { posix: [] }, 'a disabled person has no account')
  t.same(await s.at('cn=Rowers'), { posix: ['posixGroup'], gidNumber: ['5001'] })
  await s.take('changeUserStatus', { body: { id: ann, status: 1 } })
  t.match(await s.at('uid=anna,ou=people'), account(5002, 'anna'))

  for (const username of ['王小明', '-rf', 'a:b']) {
    const id = await s.addUser(username)
    const { syncState, syncError } = (await s.take('listUsers', { query: { username } })).users[0] ?? {}
    t.match({ syncState, syncError }, { syncState: 1, syncError: 'its username cannot be that of a POSIX account' })
    await s.take('deleteUsers', { body: { userIds: [id] } })
  }
  const bo = await s.addUser('bo')
  t.match(await s.at('uid=bo,ou=people'), { uidNumber: ['5006'] }, 'numbers of deleted people are not given again')
  await s.take('deleteUsers', { body: { userIds: [bo] } })
  t.match(await s.ask('setPersonPosix', { params: { id: ann }, body: { number: 5006 } }), {
    code: 409,
    reason: 'people.posix_number_kept',
  })
  await s.addUser('cy')
  await s.addUser('dee')
  const eve = await s.addUser('eve')
  const late = (await s.take('listUsers', { query: { username: 'eve' } })).users[0]
  t.match(late, { syncState: 1, syncError: /POSIX_NUMBERS has none left/ })
  const taken = await s.ask('setPersonPosix', { params: { id: eve }, body: { number: 5006 } })
  t.match(taken, { code: 409, reason: 'people.posix_number_taken' }, 'that of a deleted person cannot be set either')
  t.equal((await s.ask('setPersonPosix', { params: { id: eve }, body: { number: 1234 } })).code, 200)
  t.match(await s.at('uid=eve,ou=people'), { uidNumber: ['1234'] })
})

t.test('groups that are switched on, and numbers that other tools gave', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { rfc2307bis: true })
  const s = await open(t, slapd, { POSIX_ACCOUNTS: 'groups', POSIX_MEMBER_UID: 'off', POSIX_PRIMARY_GID: '100' })
  const group = await s.addGroup('Linux')
  const fay = await s.addUser('fay')
  t.same(await s.at('uid=fay,ou=people'), { posix: [] })
  await s.directory.write({
    kind: 'modify',
    dn: `uid=fay,ou=people,${slapd.baseDn}`,
    changes: [
      { operation: 'add', attribute: 'objectClass', values: ['posixAccount', 'shadowAccount'] },
      ...Object.entries({ uidNumber: '1042', gidNumber: '1042', homeDirectory: '/old/fay', shadowMax: '9' }).map(
        ([attribute, value]) => ({ operation: 'add' as const, attribute, values: [value] }),
      ),
    ],
  })
  const gil = await s.addUser('gil', { departmentId: [group] })
  t.equal((await s.ask('setDepartmentPosix', { params: { id: group }, body: { enabled: true } })).code, 200)
  t.match(await s.at('cn=Linux'), { posix: ['posixGroup'] })
  const shownGroup = () => s.take('getDepartmentPosix', { params: { id: group } })
  t.match(await shownGroup(), { accounts: 'groups', switchedOn: true, enabled: true })
  const number = Number((await shownGroup()).gidNumber)
  t.equal((await s.ask('setDepartmentPosix', { params: { id: group }, body: { number } })).code, 200)
  t.match(await shownGroup(), { switchedOn: true, gidNumber: String(number) }, 'a number alone switches nothing')
  t.match(await s.at('uid=gil,ou=people'), { posix: ['posixAccount'], gidNumber: ['100'] })
  await s.take('addGroupUsers', { body: { groupId: group, userIds: [fay] } })
  t.match(
    await s.at('uid=fay,ou=people'),
    { uidNumber: ['1042'], gidNumber: ['100'], homeDirectory: ['/home/fay'] },
    'the number that the entry had stays',
  )
  await s.take('removeGroupUsers', { body: { groupId: group, userIds: [fay] } })
  t.same(await s.at('uid=fay,ou=people'), { posix: [] })
  t.ok((await slapd.ldapsearch('-b', slapd.baseDn, '(uid=fay)', 'shadowMax')).includes('shadowMax: 9'), "others' stay")
  t.equal((await s.ask('setDepartmentPosix', { params: { id: group }, body: { enabled: false } })).code, 200)
  t.same(await s.at('uid=gil,ou=people'), { posix: [] })
  t.same(await s.at('cn=Linux'), { posix: [] })
  const [posixOf, groupOf] = [await s.take('getPersonPosix', { params: { id: gil } }), await shownGroup()]
  t.match(posixOf, { accounts: 'groups', enabled: false, homeDirectory: '/home/gil' }, 'the number stays')
  t.match(groupOf, { accounts: 'groups', switchedOn: false, enabled: false, gidNumber: /^\d+$/ })
})

t.test(
  'a server with RFC 2307 has accounts, and says why groups have no numbers',
  { skip: skipWithoutSlapd },
  async (t) => {
    const slapd = await testSlapd(t)
    const s = await open(t, slapd, { POSIX_ACCOUNTS: 'all' })
    await s.addGroup('Plain')
    t.same(await s.at('cn=Plain'), { posix: [] })
    const { groups } = await s.take('listGroups', { query: { groupName: 'Plain' } })
    t.match(groups[0], { syncState: 1, syncError: /no such attribute or auxiliary class: gidNumber/ })
    await s.addUser('hal')
    t.match(await s.at('uid=hal,ou=people'), { posix: ['posixAccount'], homeDirectory: ['/home/hal'] })
  },
)

t.test('groups of two classes, and people without accounts', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { rfc2307bis: true })
  const env = { LDAP_GROUP_CLASS: 'groupOfUniqueNames posixGroup', POSIX_NUMBERS: '5000-5008' }
  const s = await open(t, slapd, env)
  const group = await s.addGroup('Rowers')
  const ann = await s.addUser('ann', { departmentId: [group] })
  t.match(await s.take('getPersonPosix', { params: { id: ann } }), { accounts: 'off', enabled: false, uidNumber: '' })
  const shown = { accounts: 'off', switchedOn: false, enabled: true, gidNumber: '5000' }
  t.same(await s.take('getDepartmentPosix', { params: { id: group } }), shown)
  t.same(await s.at('cn=Rowers'), { posix: ['posixGroup'], gidNumber: ['5000'], memberUid: ['ann'] })
  t.same(await s.at('uid=ann,ou=people'), { posix: [] })
  const members = await s.directory.read(`cn=Rowers,${slapd.baseDn}`, ['uniqueMember', 'objectClass'])
  t.match(members?.attributes.uniqueMember, [`uid=ann,ou=people,${slapd.baseDn}`])
  t.ok(members?.attributes.objectClass?.includes('groupOfUniqueNames'))
  t.match(await s.ask('syncSqlGroups', { body: {} }), { data: { updated: 0, failed: 0 } })

  const structural = await testSlapd(t)
  await t.rejects(steward(t, { directory: structural, env }), {
    name: 'ConfigError',
    problems: [/^LDAP_GROUP_CLASS: the directory's schema has posixGroup as a structural class/],
  })
})

t.test('two instances give different numbers, and an interrupted one loses none', async (t) => {
  const { db } = await testDatabase(t)
  const settings = {
    ...({ accounts: 'all', numbers: { from: 1000, to: 1999 }, primaryGid: null, memberUid: true } as const),
    ...{ home: '/home/{username}', shell: '/bin/sh', gecos: '' },
  }
  const directory = { read: async () => null }
  const records = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: from + index, dn: null }))
  const give = (kind: 'user' | 'group', from: number, count: number) =>
    assignNumbers({ db, directory }, settings, kind, records(from, count))
  const given = await Promise.all([
    give('user', 1, 60),
    give('user', 31, 60),
    give('group', 1, 60),
    give('user', 1, 90),
  ])
  const [row] = await db.execute<{ all: number; distinct: number; least: string; max: string }>(sql`
    select count(*)::int as all, count(distinct number)::int as distinct, min(number) as least, max(number) as max
    from posix_numbers`)
  t.same(row, { all: 150, distinct: 150, least: '1000', max: '1149' })
  t.equal(given[0]?.get(45), given[1]?.get(45), 'one record has one number, whichever instance asks')
  await t.rejects(
    db.transaction(async (tx) => {
      await takeLock(tx, 'posixNumbers')
      throw new Error('killed')
    }),
  )
  await db.execute(sql`insert into posix_numbers (number, kind, record_id, imported) values (1150, 'user', 900, true)`)
  t.same([...(await give('user', 500, 2)).values()].sort(), [1151, 1152], 'an imported number is left out')
  t.equal((await give('user', 2000, 900)).size, 847, 'the range ends')
})

t.test('no record gets a number of the system or of everyone', async (t) => {
  const { db } = await testDatabase(t)
  const settings = { numbers: { from: 65_530, to: 65_540 }, primaryGid: 65_537 }
  const give = (kind: 'user' | 'group', written: readonly string[], from = 1) =>
    assignNumbers(
      {
        db,
        directory: {
          read: async (dn) => ({
            dn,
            attributes: { uidNumber: [written[Number(dn)] ?? ''], gidNumber: [written[Number(dn)] ?? ''] },
          }),
        },
      },
      settings,
      kind,
      written.map((_, index) => ({ id: from + index, dn: String(index) })),
    )
  t.same(
    [
      ...(
        await give(
          'group',
          Array.from({ length: 20 }, () => ''),
        )
      ).values(),
    ],
    [...[65_530, 65_531, 65_532, 65_533], ...[65_536, 65_538, 65_539, 65_540]],
  )

  await t.test('nor one that is not written as a number', async (t) => {
    // Every number of the range is given: a record that has one has it from the directory.
    const hostile = [...noPosixNumbers, ' 1000', '1000 ', '1000\n', '']
    t.same([...(await give('user', hostile, 1000))], [])
    const accepted = ['500', '1000', '2147483647', '2147483648', '4294967293']
    t.same([...(await give('user', accepted, 2000)).values()], accepted.map(Number))
    t.same([...(await give('user', accepted, 3000))], [], 'another record has them')
    t.same([...(await give('group', accepted, 4000))], [], 'and a group is another record')
    t.same([...(await give('user', ['1001', '1001'], 5000)).values()], [1001], 'of two with one number, one has it')
  })
})

t.test('a comparison foresees the numbers that are given', async (t) => {
  const { db } = await testDatabase(t)
  const settings = { numbers: { from: 65_530, to: 65_540 }, primaryGid: 65_537, accounts: 'all' } as PosixSettings
  const directory = { read: async () => null }
  const records = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, dn: null }))
  const foreseen = await numbersForeseen(db)(directory, settings, 'user', records)
  t.equal(foreseen.size, 8)
  t.same(foreseen, await assignNumbers({ db, directory }, settings, 'user', records))
})

t.test('an administrator cannot set a number of the system', async (t) => {
  const s = await steward(t, { directory: 'none', env: { POSIX_ACCOUNTS: 'all' } })
  await s.db.execute(sql`update sessions set stepped_up_at = now()`)
  const { id } = await s.take('addUser', { body: person('kim') })
  const { id: group } = await s.take('addGroup', { body: { groupName: 'g', groupType: 'cn', parentId: 0 } })
  for (const number of [-1, 0, 1, 499, 499.5, 65_534, 65_535, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 2 ** 53]) {
    t.match(await s.ask('setPersonPosix', { params: { id }, body: { number } }), { code: 400 }, String(number))
    t.match(
      await s.ask('setDepartmentPosix', { params: { id: group }, body: { number } }),
      { code: 400 },
      String(number),
    )
  }
  t.equal(await s.db.$count(posixNumbers), 0)
})

t.test('the embedded directory has both', async (t) => {
  const s = await steward(t, { env: { POSIX_ACCOUNTS: 'all' } })
  await s.take('addGroup', { body: { groupName: 'Rowers', groupType: 'cn', parentId: 0 } })
  await s.take('addUser', { body: person('ida') })
  const { groups } = await s.take('listGroups')
  t.match(groups, [{ syncState: 1, syncError: '' }])
  t.match((await s.take('listUsers', { query: { username: 'ida' } })).users, [{ syncState: 1, syncError: '' }])
})
