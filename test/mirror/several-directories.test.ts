import { sql } from 'drizzle-orm'
import t from 'tap'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { ldapTools } from '../ldap-server/ldap-tools.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestSteward } from '../steward.ts'

// Two real servers follow the same records: another base DN, another kind of groups.

const partner = 'ou=partner,dc=example,dc=org'

const settingsOf = (slapd: TestSlapd): Record<string, string> => ({
  LDAP_2_URL: slapd.url,
  LDAP_2_BASE_DN: partner,
  LDAP_2_BIND_DN: slapd.bindDn,
  LDAP_2_BIND_PASSWORD: slapd.bindPassword,
  LDAP_2_TIMEOUT: '2s',
  LDAP_2_GROUP_CLASS: 'groupOfUniqueNames',
  LDAP_2_NESTED_GROUPS: 'members',
})

/** Sorted, what is below a base, without the base and its units. */
const namesBelow = async (slapd: TestSlapd, base: string, filter = '(|(uid=*)(cn=*))'): Promise<string[]> => {
  const found = await slapd.ldapsearch('-b', base, filter, 'dn')
  return [...found.matchAll(/^dn: (.*)$/gm)].map(([, dn = '']) => dn.slice(0, -base.length - 1)).sort()
}

/** The records that a directory has not got yet. */
const behind = async ({ db }: TestSteward, directory: number): Promise<number> => {
  const [row] = await db.execute<{ count: string }>(
    sql`select count(*) from directory_entries where directory = ${directory} and version <> synced_version`,
  )
  return Number(row?.count)
}

const caughtUp = (s: TestSteward, directory: number): Promise<true> =>
  eventually(async () => (await behind(s, directory)) === 0, `directory ${directory} has everything`)

t.test('two directories', { skip: skipWithoutSlapd }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t)]
  const database = await testDatabase(t)
  let s = await steward(t, { directory: first, database, env: settingsOf(second) })
  const groupOf = async (groupName: string, groupType: 'ou' | 'cn', parentId = 0) =>
    (await s.take('addGroup', { body: { groupName, groupType, parentId } })).id

  const company = await groupOf('Company', 'ou')
  const team = await groupOf('Team', 'cn', company)
  const inner = await groupOf('Inner', 'cn', team)
  const other = await groupOf('Other', 'cn')
  const password = 'soup of the day'
  const ann = (await s.take('addUser', { body: person('ann', { departmentId: [inner], password }) })).id
  const bob = (await s.take('addUser', { body: person('bob', { departmentId: [other] }) })).id

  t.test('each has everything, in its own shape', async (t) => {
    await caughtUp(s, 1)
    await caughtUp(s, 2)
    t.same(
      await namesBelow(first, first.baseDn, '(uid=*)'),
      ['uid=admin', 'uid=ann', 'uid=bob'].map((rdn) => `${rdn},ou=people`),
    )
    t.same(
      await namesBelow(second, partner, '(uid=*)'),
      ['uid=admin', 'uid=ann', 'uid=bob'].map((rdn) => `${rdn},ou=people`),
    )
    const teamOf = (slapd: TestSlapd, base: string, attribute: string) =>
      slapd.ldapsearch('-b', `cn=Team,ou=Company,${base}`, '-s', 'base', attribute)
    t.match(await teamOf(first, first.baseDn, 'member'), 'member: cn=nobody,dc=example,dc=org\n', 'not nested')
    t.match(await teamOf(second, partner, 'uniqueMember'), `uniqueMember: uid=ann,ou=people,${partner}\n`, 'nested')
    const signsIn = await ldapTools(second).as(`uid=ann,ou=people,${partner}`, password, 'ldapwhoami', [])
    t.equal(signsIn.code, 0, 'people sign in there too')
  })

  t.test('a password that is changed in the second one is replaced by that of the record', async (t) => {
    const dn = `uid=ann,ou=people,${partner}`
    await ldapTools(second).run('ldappasswd', ['-s', 'another password', dn])
    await s.take('retryPerson', { params: { id: ann } })
    await eventually(
      async () => (await ldapTools(second).as(dn, password, 'ldapwhoami', [])).code === 0,
      'the password of the record is there again',
    )
    t.equal((await ldapTools(second).as(dn, 'another password', 'ldapwhoami', [])).code, 49)
    t.ok(await s.signIn('ann', password))
  })

  t.test('one that is down slows nothing, and gets what it missed', async (t) => {
    await second.stop('SIGKILL')
    t.match(await s.ask('changeUserStatus', { body: { id: bob, status: 2 } }), { code: 0, msg: 'success' })
    await s.take('deleteGroups', { body: { groupIds: [inner] } })
    await caughtUp(s, 1)
    t.ok((await behind(s, 2)) > 0)
    const user = (await s.take('listUsers', { query: { username: 'bob' } })).users[0]
    t.match(user, { syncState: 1, syncError: '' }, 'the state of a record is that of the main directory')
    await second.start()
    await caughtUp(s, 2)
    t.same(await namesBelow(second, `ou=disabled,${partner}`), ['uid=bob'])
    t.same(await namesBelow(second, partner, '(cn=Inner)'), [])
    await s.take('changeUserStatus', { body: { id: bob, status: 1 } })
    await s.take('addGroupUsers', { body: { groupId: team, userIds: [ann] } })
  })

  t.test('without its settings it is left as it is, and not followed', async (t) => {
    await s.close()
    s = await steward(t, { directory: first, database })
    await s.take('deleteUsers', { body: { userIds: [bob] } })
    await caughtUp(s, 1)
    t.equal(await behind(s, 2), 0)
    t.match(await namesBelow(second, partner, '(uid=*)'), ['uid=admin,ou=people', 'uid=ann,ou=people', /^uid=bob,/])
    t.same(await namesBelow(first, first.baseDn, '(uid=*)'), ['uid=admin,ou=people', 'uid=ann,ou=people'])
  })
})

t.test('what an entry lacks that is up to date is said', { skip: skipWithoutSlapd }, async (t) => {
  const second = await testSlapd(t, { argon2: false })
  const s = await steward(t, { env: settingsOf(second) })
  await s.take('addUser', { body: person('ann', { password: 'soup of the day' }) })
  await caughtUp(s, 2)
  const pending = async (query: object) => s.take('listPendingEntries', { params: { directory: 2 }, query } as never)
  t.match(await pending({}), { total: 0 }, 'it waits for nothing')
  const facts = { state: 'incomplete', waitingSince: null, nextTryAt: null, stated: { code: 'mirror.password_absent' } }
  const named = (name: string) => ({ kind: 'user', name, ...facts })
  t.match(await pending({ state: 'incomplete' }), { total: 2, entries: [named('admin'), named('ann')] })
  t.match((await s.take('listDirectories')).directories, [{ incomplete: 0 }, { waiting: 0, refused: 0, incomplete: 2 }])
})

t.test(
  'one server: groups of both classes, with POSIX groups, below two bases',
  { skip: skipWithoutSlapd },
  async (t) => {
    const slapd = await testSlapd(t, { rfc2307bis: true })
    const [names, uniqueNames] = [`ou=names,${slapd.baseDn}`, `ou=unique-names,${slapd.baseDn}`]
    const database = await testDatabase(t)
    const env = {
      LDAP_BASE_DN: names,
      LDAP_GROUP_CLASS: 'groupOfNames posixGroup',
      LDAP_2_URL: slapd.url,
      LDAP_2_BASE_DN: uniqueNames,
      LDAP_2_BIND_DN: slapd.bindDn,
      LDAP_2_BIND_PASSWORD: slapd.bindPassword,
      LDAP_2_GROUP_CLASS: 'groupOfUniqueNames posixGroup',
      LDAP_2_PASSWORD_SCHEME: 'ssha512',
      POSIX_NUMBERS: '5000-5008',
    }
    let s = await steward(t, { directory: slapd, database, env })
    const groupOf = async (groupName: string) =>
      (await s.take('addGroup', { body: { groupName, groupType: 'cn', parentId: 0 } })).id
    const [rowers, others] = [await groupOf('Rowers'), await groupOf('Others')]
    const password = 'soup of the day'
    const ann = (await s.take('addUser', { body: person('ann', { departmentId: [rowers], password }) })).id
    await s.take('addUser', { body: person('bob', { departmentId: [others] }) })
    await caughtUp(s, 2)
    const shownOf = (base: string) =>
      slapd.ldapsearch(
        '-b',
        `cn=Rowers,${base}`,
        '-s',
        'base',
        'objectClass',
        'member',
        'uniqueMember',
        'memberUid',
        'gidNumber',
      )
    const linesOf = async (base: string) =>
      (await shownOf(base))
        .split('\n')
        .filter((line) => /^[a-z]+: /i.test(line))
        .sort()
    const common = ['gidNumber: 5000', 'memberUid: ann', 'objectClass: posixGroup', 'objectClass: top']
    const both = async () => {
      t.same(
        await linesOf(names),
        [...common, `dn: cn=Rowers,${names}`, `member: uid=ann,ou=people,${names}`, 'objectClass: groupOfNames'].sort(),
      )
      t.same(
        await linesOf(uniqueNames),
        [
          ...common,
          `dn: cn=Rowers,${uniqueNames}`,
          'objectClass: groupOfUniqueNames',
          `uniqueMember: uid=ann,ou=people,${uniqueNames}`,
        ].sort(),
        'the same gid number',
      )
    }
    await both()
    for (const base of [names, uniqueNames]) {
      t.match(await namesBelow(slapd, base, '(uid=*)'), [
        'uid=admin,ou=people',
        'uid=ann,ou=people',
        'uid=bob,ou=people',
      ])
      t.equal((await ldapTools(slapd).as(`uid=ann,ou=people,${base}`, password, 'ldapwhoami', [])).code, 0)
    }
    await s.take('removeGroupUsers', { body: { groupId: rowers, userIds: [ann] } })
    await caughtUp(s, 2)
    t.notOk((await linesOf(names)).some((line) => line.includes('uid=ann')))
    t.notOk((await linesOf(uniqueNames)).some((line) => line.includes('uid=ann')))
    await s.take('addGroupUsers', { body: { groupId: rowers, userIds: [ann] } })
    await caughtUp(s, 2)
    await both()
    await s.close()

    const part = { ...env, LDAP_2_GROUPS: String(rowers) }
    s = await steward(t, { directory: slapd, database, env: part })
    await caughtUp(s, 2)
    await both()
    t.same(await namesBelow(slapd, uniqueNames, '(uid=*)'), ['uid=ann,ou=people'], 'those of its groups alone')
    t.equal((await namesBelow(slapd, names, '(uid=*)')).length, 3)
  },
)
