import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { schemaOf } from '../../src/mirror/entry/directory-schema.ts'
import { memberOfIn } from '../../src/mirror/entry/member-of.ts'
import { testDatabase } from '../database.ts'
import { eventually } from '../eventually.ts'
import { person } from '../people/console.ts'
import { skipWithoutSlapd, type TestSlapd, testSlapd } from '../slapd.ts'
import { steward, type TestStewardOptions } from '../steward.ts'
import { openOffice } from './office.ts'

// `memberOf` on the entries of people: written by Steward (LDAP_MEMBER_OF), or left to a server that maintains it.

/** Milliseconds; a value that does not come is shown by the comparison after it. */
const timeout = 15_000

type Office = Awaited<ReturnType<typeof office>>

const office = async (t: Test, options: TestStewardOptions & { slapd?: TestSlapd }) => {
  const s = await openOffice(t, options)
  const { directory, baseDn } = s

  /** The groups that an entry shows, and the classes that are not everyone's. */
  const shown = async (rdn: string): Promise<{ groups: string[]; classes: string[] } | null> => {
    const entry = await directory.read(`${rdn},${baseDn}`, ['memberOf', 'objectClass'])
    if (entry === null) return null
    const own = ['top', 'person', 'organizationalPerson', 'inetOrgPerson']
    return {
      groups: (entry.attributes.memberOf ?? []).map((dn) => dn.slice(0, -baseDn.length - 1)).sort(),
      classes: (entry.attributes.objectClass ?? []).filter((name) => !own.includes(name)).sort(),
    }
  }
  const shows = async (rdn: string, groups: string[], what: string): Promise<void> => {
    const isThere = async () => isDeepStrictEqual((await shown(rdn))?.groups, [...groups].sort())
    await eventually(isThere, what, timeout).catch(() => {})
    t.strictSame((await shown(rdn))?.groups, [...groups].sort(), what)
  }
  const edit = (rdn: string, operation: 'add' | 'delete', groups: string[]) =>
    directory.write({
      kind: 'modify',
      dn: `${rdn},${baseDn}`,
      changes: [{ operation, attribute: 'memberOf', values: groups.map((each) => `${each},${baseDn}`) }],
    })
  return { ...s, shown, shows, edit }
}

const written = { LDAP_MEMBER_OF: 'on' }
const nested = { ...written, LDAP_NESTED_GROUPS: 'members' }

/** What has to be the same wherever `memberOf` comes from. */
const followsChanges = async (t: Test, s: Office) => {
  const company = await s.addGroup('Company', 0, 'ou')
  const kitchen = await s.addGroup('Kitchen', company)
  const other = await s.addGroup('Other')
  const ada = await s.addUser('ada', [kitchen, other])
  await s.shows('uid=ada,ou=people', ['cn=Kitchen,ou=Company', 'cn=Other'], 'two groups')

  await s.take('updateGroup', { body: { id: company, groupName: 'Firm & Sons' } })
  await s.shows('uid=ada,ou=people', ['cn=Kitchen,ou=Firm & Sons', 'cn=Other'], 'a group above was renamed')
  await s.take('moveDepartment', { params: { id: kitchen }, body: { parent: other } })
  await s.shows('uid=ada,ou=people', ['cn=Kitchen,cn=Other', 'cn=Other'], 'a group was moved')
  await s.take('updateUser', { body: { ...person('adele'), id: ada, departmentId: [kitchen, other] } })
  await s.shows('uid=adele,ou=people', ['cn=Kitchen,cn=Other', 'cn=Other'], 'a person was renamed')

  await s.take('changeUserStatus', { body: { id: ada, status: 2 } })
  await s.shows('uid=adele,ou=disabled', [], 'a disabled person is in no group')
  t.strictSame((await s.shown('uid=adele,ou=disabled'))?.classes, [], 'nor has a class of it')
  await s.take('changeUserStatus', { body: { id: ada, status: 1 } })
  await s.shows('uid=adele,ou=people', ['cn=Kitchen,cn=Other', 'cn=Other'], 'an enabled person is back')

  await s.take('removeGroupUsers', { body: { groupId: other, userIds: [ada] } })
  await s.shows('uid=adele,ou=people', ['cn=Kitchen,cn=Other'], 'a person left a group')
  await s.take('deleteGroups', { body: { groupIds: [kitchen] } })
  await s.shows('uid=adele,ou=people', [], 'a group was deleted')
  await s.take('addGroupUsers', { body: { groupId: other, userIds: [ada] } })
  await s.shows('uid=adele,ou=people', ['cn=Other'], 'a person joined a group')
  await s.settled()
  t.match(await s.ask('compareDirectory', { body: { kind: 'users' } }), { data: { updated: 0, added: 0, failed: 0 } })
  return { ada, other }
}

t.test('written on slapd without the overlay', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { memberOfFrom: 'schema' })
  const database = await testDatabase(t)
  const dataDir = t.testdir()
  const options = { slapd, database, dataDir }
  const s = await office(t, { ...options, env: written })
  const { ada } = await followsChanges(t, s)
  t.strictSame((await s.shown('uid=adele,ou=people'))?.classes, ['stewardMember'])
  const admin = await s.shown('uid=admin,ou=people')
  t.strictSame(admin, { groups: [], classes: [] }, 'who is in no group has no class either')

  await s.edit('uid=adele,ou=people', 'add', ['cn=Nowhere'])
  t.match(
    await s.ask('compareDirectory', { body: { kind: 'users' } }),
    { data: { updated: 1, failed: 0 } },
    'an added value is drift',
  )
  await s.shows('uid=adele,ou=people', ['cn=Other'], 'and removed')
  await s.edit('uid=adele,ou=people', 'delete', ['cn=Other'])
  t.match(
    await s.ask('compareDirectory', { body: { kind: 'users' } }),
    { data: { updated: 1, failed: 0 } },
    'a lost value is drift',
  )
  await s.shows('uid=adele,ou=people', ['cn=Other'], 'and comes back')
  t.match((await s.take('listUsers', { query: { username: 'adele' } })).users[0], { syncState: 1, syncError: '' })

  await s.directory.write({
    kind: 'modify',
    dn: `uid=admin,ou=people,${s.baseDn}`,
    changes: [
      { operation: 'add', attribute: 'objectClass', values: ['shadowAccount'] },
      { operation: 'add', attribute: 'shadowMax', values: ['9'] },
    ],
  })
  await s.close()

  const off = await office(t, options)
  await off.shows('uid=adele,ou=people', [], 'switched off, it is removed')
  await off.settled()
  t.strictSame((await off.shown('uid=adele,ou=people'))?.classes, [], 'with its class')
  t.strictSame((await off.shown('uid=admin,ou=people'))?.classes, ['shadowAccount'], 'others keep theirs')
  await off.mirror.reconciler.compareEverything()
  await off.directory.write({
    kind: 'modify',
    dn: `uid=adele,ou=people,${off.baseDn}`,
    changes: [
      { operation: 'add', attribute: 'objectClass', values: ['stewardMember'] },
      { operation: 'add', attribute: 'memberOf', values: [`cn=Theirs,${off.baseDn}`] },
    ],
  })
  t.match(
    await off.ask('compareDirectory', { body: { kind: 'users' } }),
    { data: { updated: 0, failed: 0 } },
    'then it is left alone',
  )
  await off.take('updateUser', { body: { ...person('adele'), id: ada, nickname: 'A', departmentId: [] } })
  await off.shows('uid=adele,ou=people', ['cn=Theirs'], "another tool's stay")
  await off.close()

  const again = await office(t, { ...options, env: written })
  await again.shows('uid=adele,ou=people', [], 'switched on again')
})

t.test('people of groups below, where groups are nested', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { memberOfFrom: 'schema' })
  const s = await office(t, { slapd, env: nested })
  const company = await s.addGroup('Company')
  const kitchen = await s.addGroup('Kitchen', company, 'ou')
  const bakery = await s.addGroup('Bakery', kitchen)
  const other = await s.addGroup('Other')
  const ada = await s.addUser('ada', [bakery])
  await s.addUser('ben', [kitchen])
  const bakeryDn = 'cn=Bakery,ou=Kitchen,cn=Company'
  await s.shows('uid=ada,ou=people', ['cn=Company', bakeryDn], 'three levels')
  await s.shows('uid=ben,ou=people', ['cn=Company'], 'a member of an ou')
  await s.take('moveDepartment', { params: { id: kitchen }, body: { parent: other } })
  await s.shows('uid=ada,ou=people', ['cn=Bakery,ou=Kitchen,cn=Other', 'cn=Other'], 'moved')
  await s.shows('uid=ben,ou=people', ['cn=Other'], 'moved, with all below')
  await s.take('updateGroup', { body: { id: other, groupName: 'Others' } })
  await s.shows('uid=ada,ou=people', ['cn=Bakery,ou=Kitchen,cn=Others', 'cn=Others'], 'a group above was renamed')
  await s.take('moveDepartment', { params: { id: bakery }, body: { parent: null } })
  await s.shows('uid=ada,ou=people', ['cn=Bakery'], 'moved out of it')
  await s.take('deleteUsers', { body: { userIds: [ada] } })
  await s.settled()
  t.match(await s.ask('compareDirectory', { body: { kind: 'users' } }), { data: { updated: 0, failed: 0 } })
})

t.test('left alone where the server maintains it', async (t) => {
  for (const kind of ['slapd with the overlay', 'the embedded directory'] as const) {
    await t.test(kind, { skip: kind !== 'the embedded directory' && skipWithoutSlapd }, async (t) => {
      const slapd = kind === 'the embedded directory' ? {} : { slapd: await testSlapd(t, { memberof: true }) }
      const s = await office(t, { ...slapd, env: written })
      await followsChanges(t, s)
      const [row] = await s.db.execute<{ state: string | null }>(sql`select member_of as state from directories`)
      t.equal(row?.state, null)
      t.strictSame((await s.shown('uid=adele,ou=people'))?.classes, [])
    })
  }
})

t.test('a directory that cannot have it', { skip: skipWithoutSlapd }, async (t) => {
  const slapd = await testSlapd(t, { memberOfFrom: 'nowhere' })
  await t.rejects(steward(t, { directory: slapd, env: written }), {
    name: 'ConfigError',
    problems: [
      /^LDAP_MEMBER_OF: the directory neither maintains memberOf nor has an auxiliary class .*member-of\.ldif/,
    ],
  })
  await t.test('is told of later where it is away at the start', async (t) => {
    await slapd.stop('SIGKILL')
    const s = await steward(t, { directory: slapd, env: written })
    await slapd.start()
    const added = (await s.take('addUser', { body: person('ada') })).id
    await eventually(
      async () => (await s.take('listUsers', { query: { username: 'ada' } })).users[0]?.syncState === 1,
      'people get there all the same',
    )
    t.ok(added > 0)
    t.ok(s.logs.some((line) => line.includes('LDAP_MEMBER_OF: the directory neither maintains')))
  })
})

t.test('each directory by its own setting', { skip: skipWithoutSlapd }, async (t) => {
  const [first, second] = [await testSlapd(t), await testSlapd(t, { memberOfFrom: 'schema' })]
  const s = await office(t, {
    slapd: first,
    env: {
      ...{ LDAP_2_URL: second.url, LDAP_2_BASE_DN: second.baseDn, LDAP_2_BIND_DN: second.bindDn },
      ...{ LDAP_2_BIND_PASSWORD: second.bindPassword, LDAP_2_MEMBER_OF: 'on' },
    },
  })
  const group = await s.addGroup('Rowers')
  await s.addUser('ada', [group])
  await s.settled()
  const there = await second.ldapsearch('-b', second.baseDn, '(uid=ada)', 'memberOf')
  t.match(there, `memberOf: cn=Rowers,${second.baseDn}`)
  t.strictSame(await s.shown('uid=ada,ou=people'), { groups: [], classes: [] })
})

t.test('what a schema says of it', async (t) => {
  const type = (more = '') => `( 1.2.840.113556.1.2.102 NAME 'memberOf' SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 ${more})`
  const found = (attribute: string, ...classes: string[]) => memberOfIn(schemaOf([attribute], classes))
  t.equal(memberOfIn(null), 'lacking')
  t.equal(found(type()), 'lacking')
  t.equal(found(type('NO-USER-MODIFICATION ')), 'maintained')
  t.equal(found(type('USAGE dSAOperation ')), 'maintained')
  t.equal(found(type(), "( 1.1 NAME 'a' STRUCTURAL MAY memberOf )"), 'lacking')
  t.equal(found(type(), "( 1.1 NAME 'a' AUXILIARY MUST other MAY memberOf )"), 'lacking')
  const several = ["( 1.1 NAME 'a' AUXILIARY MAY memberOf )", "( 1.2 NAME 'inetUser' AUXILIARY MAY memberOf )"]
  t.strictSame(found(type(), ...several), { objectClass: 'inetUser' })
})
